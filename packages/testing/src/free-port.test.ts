import { createServer } from "node:net";
import { expect, it } from "vitest";
import { freePort } from "./free-port.ts";

it("is never a port that a system gives to others meanwhile, nor one that was asked for already", async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
  expect(new Set(ports).size).toBe(50);
  expect(Math.max(...ports)).toBeLessThan(32_768);
});

it("is not one on which somebody listens", async () => {
  const before = await freePort();
  const server = createServer().listen(before + 1, "127.0.0.1");
  // Or another user does already.
  await new Promise((resolve) => server.once("listening", resolve).once("error", resolve));
  expect(await freePort()).not.toBe(before + 1);
  server.close();
});
