import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { cases, include } from "./bad-user-data-cases.ts";
import { moduleCases } from "./user-data-module-cases.ts";

/** Contents by path, long ones in short. */
export type Left = Readonly<Record<string, string>>;

/** What the real cloud-init has left behind, by case. */
export const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, "bad-user-data-left.json"), "utf8"),
) as Readonly<Record<string, Left>>;

export const metadata = { "instance-id": "i-7", label: "worker-7", "local-hostname": "worker-7" };

export const given = Object.entries({ ...cases, ...moduleCases });

/** The bytes of a file as they are compared. */
export const shown = (bytes: Uint8Array): string => {
  const text = Buffer.from(bytes).toString("latin1");
  return text.length > 200 ? `${text.slice(0, 20)}… ${text.length} bytes` : text;
};

/** Serves what the cases include. */
export const serveIncludes = async (): Promise<{
  /** The user-data of the case with the number, with the address of the server. */
  readonly userDataOf: (index: number) => Uint8Array;
  readonly close: () => void;
}> => {
  const server = createServer((request, response) => {
    const [, index = "", name = ""] = (request.url ?? "").split("/");
    const answer = given[Number(index)]?.[1].served?.[name];
    response.statusCode = answer?.status ?? 404;
    response.end(answer?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    userDataOf: (index) => {
      const userData = given[index]?.[1].userData ?? new Uint8Array();
      const text = Buffer.from(userData).toString("latin1");
      return text.includes(include) ? Buffer.from(text.replaceAll(include, `${address}/${index}`), "latin1") : userData;
    },
    close: () => server.close(),
  };
};
