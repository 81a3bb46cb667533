import { expect, it } from "vitest";
import { runCommand } from "./run-command.ts";

const streams = [process.stdout, process.stderr];
const listeners = (): readonly number[] => [
  ...streams.map((stream) => stream.listenerCount("error")),
  ...["SIGINT", "SIGTERM"].map((signal) => process.listenerCount(signal)),
];

it("leaves no more listeners behind, however many commands a process runs", async () => {
  await runCommand({}, () => Promise.resolve(0));
  const before = listeners();
  for (let run = 0; run < 3; run++) await runCommand({}, () => Promise.resolve(0));
  expect(listeners()).toEqual(before);
});

it("is interrupted when nobody reads, and takes what fails to be written after its end without a word", async () => {
  for (const stream of streams) {
    const status = runCommand({ interrupted: 130 }, (signal) => {
      stream.emit("error", new Error("write EPIPE"));
      signal.throwIfAborted();
      return Promise.resolve(0);
    });
    await expect(status).resolves.toBe(130);
    expect(stream.emit("error", new Error("write EPIPE"))).toBe(true);
  }
});

it.each([
  ["SIGINT", 0, 130],
  ["SIGINT", 130, 130],
  ["SIGTERM", 0, 0],
  ["SIGTERM", 130, 143],
] as const)(
  "%s ends a command whose status would be %i with %i, whether it throws or returns",
  async (name, own, status) => {
    const interrupted = () => void process.emit(name, name);
    const returning = runCommand({}, () => {
      interrupted();
      return Promise.resolve(own);
    });
    await expect(returning).resolves.toBe(status);
    const throwing = runCommand({ interrupted: own }, (signal) => {
      interrupted();
      signal.throwIfAborted();
      return Promise.resolve(1);
    });
    await expect(throwing).resolves.toBe(status);
  },
);

it("keeps the status of what went wrong before the signal", async () => {
  const failed = runCommand({}, () => {
    process.emit("SIGINT", "SIGINT");
    return Promise.resolve(1);
  });
  await expect(failed).resolves.toBe(1);
});
