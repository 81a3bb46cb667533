import { request } from "node:http";

export interface Fetched {
  readonly status: number;
  readonly type: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Asks from an address of its own, as a machine does. */
export const fetchedFrom = (
  localAddress: string,
  url: string,
  {
    headers = {},
    method = "GET",
  }: { readonly headers?: Readonly<Record<string, string>>; readonly method?: string } = {},
): Promise<Fetched> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { localAddress, headers, method, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers["content-type"],
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.once("error", reject);
    sent.end();
  });
