import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { BlobServiceClient, StorageSharedKeyCredential } from "@azure/storage-blob";
import { objectStoreConformance } from "@capstan/testing/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { subjectOf } from "./subject.ts";

/** The account and key that azurite always has. */
const account = "devstoreaccount1";
const accountKey = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
const flags = ["--blobHost", "127.0.0.1", "--blobPort", "0", "--inMemoryPersistence", "--skipApiVersionCheck"];

/** Azurite's blob service by npx; `undefined` where that cannot get it. */
const startAzurite = async (): Promise<(AsyncDisposable & { readonly url: string }) | undefined> => {
  const command = [
    "--yes",
    "--package=azurite@3.37.0",
    "--",
    "azurite-blob",
    ...flags,
    "--disableTelemetry",
    "--silent",
  ];
  const env = { ...process.env, npm_config_fetch_retries: "0", npm_config_fetch_timeout: "60000" };
  const child = spawn("npx", command, { stdio: ["ignore", "pipe", "ignore"], detached: true, env });
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = /listens on (http:\/\/\S+)/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stdout.resume();
    return {
      url: url.replace(/\/+$/, ""),
      [Symbol.asyncDispose]: async () => {
        const ended = once(child, "exit");
        // npx and what it runs are one group of processes.
        process.kill(-child.pid!);
        await ended;
      },
    };
  }
  return undefined;
};

const server = await startAzurite();
if (server === undefined) {
  it.skip("the object store against azurite: skipped, npx cannot get azurite@3.37.0 here", () => undefined);
} else {
  beforeAll(async () => {
    const service = new BlobServiceClient(
      `${server.url}/${account}`,
      new StorageSharedKeyCredential(account, accountKey),
    );
    await service.createContainer("data");
  });
  afterAll(() => server[Symbol.asyncDispose]());
  objectStoreConformance(
    { afterAll, beforeAll, describe, it },
    subjectOf({ url: () => server.url, account, accountKey }, { "20 leaves no version behind": "azurite keeps none" }),
  );
}
