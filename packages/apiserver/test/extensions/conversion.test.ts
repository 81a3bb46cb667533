import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { createCertificateAuthority, issueCertificate, type CertificateAndKey } from "@capstan/pki";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Converter } from "../../src/crd/conversion.ts";
import { checkedConverter } from "../../src/crd/conversion.ts";
import { webhookConverter } from "../../src/crd/conversion-webhook.ts";

interface Review {
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly KubeObject[];
  };
}

const original: KubeObject = {
  apiVersion: "test.capstan/v1",
  kind: "Thing",
  metadata: { name: "x", namespace: "n", uid: "u", finalizers: ["a.b/c"], labels: { l: "1" } },
};
const wanted = "test.capstan/v2";

const failure = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason as { readonly status: { readonly code: number; readonly message: string } },
  );
  expect(error?.status.code).toBe(500);
  return error?.status.message ?? "";
};

describe("what a converter gives back", () => {
  const through = (change: (object: KubeObject) => object): Promise<readonly KubeObject[]> =>
    checkedConverter(async (objects) =>
      objects.map((object) => ({ ...object, apiVersion: wanted, ...change(object) })),
    )([original], wanted);

  it("keeps the metadata besides labels and annotations", async () => {
    const [converted] = await through(({ metadata }) => ({
      metadata: { ...metadata, finalizers: [], labels: { l: "2" }, annotations: { a: "1" } },
    }));
    expect(converted).toEqual({
      ...original,
      apiVersion: wanted,
      metadata: { ...original.metadata, labels: { l: "2" }, annotations: { a: "1" } },
    });
  });

  it.each<[string, (object: KubeObject) => object]>([
    ["expected apiVersion", () => ({ apiVersion: "test.capstan/v3" })],
    ["expected kind", () => ({ kind: "Other" })],
    ["metadata.name may not change", ({ metadata }) => ({ metadata: { ...metadata, name: "y" } })],
    ["metadata.uid may not change", ({ metadata }) => ({ metadata: { ...metadata, uid: "v" } })],
  ])("is refused: %s", async (why, change) => {
    expect(await failure(through(change))).toContain(why);
  });

  it("is refused when objects are missing", async () => {
    const lose: Converter = async () => [];
    expect(await failure(checkedConverter(lose)([original], wanted))).toContain("expected 1 objects, got 0");
  });

  it("leaves objects of the wanted version alone", async () => {
    const never: Converter = () => Promise.reject(new Error("not called"));
    const done = { ...original, apiVersion: wanted };
    expect(await checkedConverter(never)([done], wanted)).toEqual([done]);
  });
});

describe("a conversion webhook", () => {
  let authority: CertificateAndKey;
  let server: Server;
  let url: string;
  const reviews: Review[] = [];
  let answer: (review: Review) => { readonly code?: number; readonly body: unknown };

  beforeAll(async () => {
    const now = systemClock.now();
    authority = await createCertificateAuthority({ now, algorithm: "ECDSA-P256" });
    const leaf = await issueCertificate(authority, {
      now,
      commonName: "webhook",
      usages: ["server"],
      algorithm: "ECDSA-P256",
      hosts: ["127.0.0.1", "known.n.svc"],
    });
    server = createServer({ cert: leaf.certificate, key: leaf.key }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const review = JSON.parse(Buffer.concat(chunks).toString()) as Review;
        reviews.push(review);
        const { code = 200, body } = answer(review);
        response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const convert = async (config: object = {}): Promise<readonly KubeObject[]> => {
    const caBundle = Buffer.from(authority.certificate).toString("base64");
    const webhook = webhookConverter(
      { url: `${url}/convert`, caBundle, ...config },
      {
        random: cryptoRandom,
        resolveService: ({ name }) => (name === "known" ? url : undefined),
      },
    );
    try {
      return await webhook.convert([original], wanted);
    } finally {
      await webhook.close();
    }
  };

  const succeed = ({ request }: Review) => ({
    body: {
      kind: "ConversionReview",
      apiVersion: "apiextensions.k8s.io/v1",
      response: {
        uid: request.uid,
        result: { status: "Success" },
        convertedObjects: request.objects.map((object) => ({ ...object, apiVersion: request.desiredAPIVersion })),
      },
    },
  });

  it("gets a ConversionReview and gives the objects", async () => {
    answer = succeed;
    expect(await convert()).toEqual([{ ...original, apiVersion: wanted }]);
    expect(reviews.at(-1)).toMatchObject({
      kind: "ConversionReview",
      apiVersion: "apiextensions.k8s.io/v1",
      request: { desiredAPIVersion: wanted, objects: [original] },
    });
  });

  it("is found through its Service", async () => {
    answer = succeed;
    const service = (name: string, namespace = "n") => ({
      url: undefined,
      service: { namespace, name, path: "/convert" },
    });
    expect(await convert(service("known"))).toHaveLength(1);
    expect(await failure(convert(service("known", "other"))), "its certificate is for another one").toContain(
      "known.other.svc",
    );
    expect(await failure(convert(service("unknown")))).toContain("service n/unknown has no known address");
  });

  it("fails with what it says, and for answers that are none", async () => {
    answer = ({ request }) => ({
      body: { response: { uid: request.uid, result: { status: "Failure", message: "no way" } } },
    });
    expect(await failure(convert())).toContain("no way");
    answer = () => ({ code: 500, body: {} });
    expect(await failure(convert())).toContain("answered 500");
    answer = () => ({ body: {} });
    expect(await failure(convert())).toContain("no response");
    answer = () => ({ body: { response: { uid: "other", result: { status: "Success" } } } });
    expect(await failure(convert())).toContain("another uid");
  });

  it("is not trusted without its authority", async () => {
    answer = succeed;
    expect(await failure(convert({ caBundle: undefined }))).toContain("failed");
  });
});
