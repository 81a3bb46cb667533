import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { strictMachine } from "./strict-machine.ts";

const requests: { readonly method: string | undefined; readonly header: unknown; readonly body: string }[] = [];
let answers: number[] = [];
const answer = async (request: IncomingMessage): Promise<number> => {
  requests.push({ method: request.method, header: request.headers["if-none-match"], body: await text(request) });
  return answers.shift() ?? 200;
};
const server = createServer((request, response) => {
  void answer(request).then((status) => response.writeHead(status).end());
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => void server.close(resolve)));
beforeEach(() => void requests.splice(0));

const run = async (command: string) => {
  const { clock, disk, run: start } = strictMachine();
  disk.write("/report", "failed\n");
  const ended = start(command);
  let ran: Awaited<typeof ended> | undefined;
  void ended.then((value) => (ran = value));
  await clock.advanceUntil(() => ran !== undefined);
  const { err, out, status } = await ended;
  return { status, said: `${out}${err}` };
};

const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/report?signature=secret`;
const upload = (): string => `curl --fail --retry 2 --upload-file /report --header 'if-none-match: *' '${url()}'`;

describe("curl on a guest", () => {
  it.each([
    ["an upload", [200], 0, 1],
    ["one that works in the end", [503, 200], 0, 2],
    ["one that is refused", [412], 22, 1],
    ["one that fails every time", [503, 503, 503], 22, 3],
  ])("does %s", async (_case, given, expected, calls) => {
    answers = [...given];
    const { status, said } = await run(upload());
    expect(status).toBe(expected);
    expect(requests).toEqual(Array.from({ length: calls }, () => ({ method: "PUT", header: "*", body: "failed\n" })));
    expect(said).not.toContain("secret");
  });

  it("says that nobody answers, without the URL", async () => {
    const { status, said } = await run("curl --upload-file /report 'http://127.0.0.1:1/?signature=secret'");
    expect(status).toBe(7);
    expect(said).toContain("ECONNREFUSED");
    expect(said).not.toContain("secret");
  });

  it("has nothing to send without the file", async () => {
    expect((await run(`curl --upload-file /none '${url()}'`)).status).toBe(26);
    expect(requests).toEqual([]);
  });
});
