import { get } from "node:http";

/** The status and the body that a URL answers with, on a connection of its own. */
export const fetched = (url: string): Promise<string> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      let text = "";
      response.on("data", (chunk) => (text += String(chunk)));
      response.once("end", () => resolve(`${response.statusCode} ${text}`));
    }).once("error", reject);
  });
