import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isCapstanError } from "@capstan/contract";
import { connect, createClient } from "@capstan/kube";
import { recentClock } from "@capstan/testing";
import { expect, it } from "vitest";
import { patientConnection } from "./patient-connection.ts";

/** An API server that breaks the first connections instead of answering. */
const busyServer = async (broken: number) => {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    if (asked <= broken) request.socket.destroy();
    else response.setHeader("content-type", "application/json").end(JSON.stringify({ asked }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
};

const asking = async (url: string) => {
  const clock = recentClock();
  const said: string[] = [];
  const connection = connect({ url, clock });
  const view = { say: ({ text }: { readonly text: string }) => void said.push(text), rows: () => {}, close: () => {} };
  const asked = createClient(patientConnection(connection, view))
    .request<{ readonly asked: number }>({ method: "PATCH", path: "/apis", body: {} })
    .catch((error: unknown) => error);
  let isOver = false;
  void asked.then(() => (isOver = true));
  await clock.advanceUntil(() => isOver, { stepMs: 100, maxMs: 60_000 });
  await connection.close();
  return { answer: await asked, said };
};

it("asks a busy API server again, and says so", async () => {
  await using server = await busyServer(4);
  const { answer, said } = await asking(server.url);
  expect(answer).toEqual({ asked: 5 });
  expect(said).toHaveLength(4);
  expect(said[0]).toMatch(/^cannot reach the API server \(.*\); .*; retrying$/);
});

it("gives up after five times", async () => {
  await using server = await busyServer(9);
  const { answer } = await asking(server.url);
  expect(isCapstanError(answer, "kube.unavailable")).toBe(true);
  expect(server.asked()).toBe(5);
});

it("does not wait for a server that is not there", async () => {
  const { url, [Symbol.asyncDispose]: end } = await busyServer(0);
  await end();
  const { answer, said } = await asking(url);
  expect(isCapstanError(answer, "kube.unavailable")).toBe(true);
  expect(said).toEqual([]);
});
