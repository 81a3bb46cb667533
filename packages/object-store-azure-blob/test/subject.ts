import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { azureBlobObjectStores, type AzureBlobObjectStoreOptions } from "@capstan/object-store-azure-blob";
import type { ObjectStore } from "@capstan/contract/v1";
import { systemClock } from "@capstan/runtime";
import type { ObjectStoreSubject } from "@capstan/testing/conformance";

/** A Blob service with an account and the container `data`. */
export interface BlobServer {
  readonly url: () => string;
  readonly account: string;
  readonly accountKey: string;
}

const wrongKey = Buffer.from("a wrong key, of some length").toString("base64");

/** The address of a server that answers as the test says. It has no say in how long the process lives. */
export const serverThat = async (answers: RequestListener): Promise<string> => {
  const scripted = createServer((request, response) => {
    request.resume().on("end", () => {
      response.setHeader("x-ms-request-id", "scripted");
      answers(request, response);
    });
  });
  await new Promise<void>((resolve) => void scripted.listen(0, "127.0.0.1", resolve));
  scripted.unref();
  return `http://127.0.0.1:${(scripted.address() as AddressInfo).port}`;
};

/** The store in front of a Blob service, as the conformance suite asks for it. */
export const subjectOf = (
  { account, accountKey, url }: BlobServer,
  skip: Readonly<Record<string, string>>,
): ObjectStoreSubject => {
  const open = (
    change: Readonly<Record<string, string>> = {},
    options: Partial<AzureBlobObjectStoreOptions> = {},
  ): ObjectStore =>
    azureBlobObjectStores({ clock: systemClock, ...options }).open({
      container: "data",
      endpoint: `${url()}/${account}`,
      account,
      accountKey,
      ...change,
    });
  return {
    open: async () => open(),
    secrets: [accountKey, wrongKey],
    expiryParameter: "se",
    openWithClockOffset: async (offsetMs) =>
      open({}, { clock: { ...systemClock, now: () => systemClock.now() + offsetMs } }),
    openMissingBucket: async () => open({ container: "missing" }),
    openWithWrongCredentials: async () => open({ accountKey: wrongKey }),
    openWithoutHead: async () =>
      open({
        endpoint: await serverThat(({ method }, response) => response.writeHead(method === "HEAD" ? 403 : 202).end()),
      }),
    openUnreachable: async () => open({ endpoint: "http://127.0.0.1:1" }, { maxAttempts: 1 }),
    openHanging: async () => {
      const endpoint = await serverThat(() => undefined);
      return { store: open({ endpoint }, { timeoutMs: 200 }), hurry: async () => undefined };
    },
    openFailingFirst: async (times) => {
      let count = 0;
      return open({
        endpoint: await serverThat((_, response) => response.writeHead((count += 1) <= times ? 503 : 201).end()),
      });
    },
    skip,
  };
};
