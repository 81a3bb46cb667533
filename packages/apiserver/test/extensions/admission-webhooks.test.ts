import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { admissionWebhooks } from "../../src/index.ts";
import { allow, type Hook, type HookServer, patchWith, startHookServer } from "../conformance/hook-server.ts";
import { serverWith, type TestServer } from "./server-with.ts";

const configMaps = { group: "", plural: "configmaps" } as const;
const validating = { group: "admissionregistration.k8s.io", plural: "validatingwebhookconfigurations" } as const;
const mutating = { group: "admissionregistration.k8s.io", plural: "mutatingwebhookconfigurations" } as const;

const configMap = (name: string, labels: Readonly<Record<string, string>> = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", labels },
});

describe("admission webhooks", () => {
  let hooks: HookServer;
  let server: TestServer;

  beforeAll(async () => {
    hooks = await startHookServer();
    server = await serverWith(
      admissionWebhooks({ resolveService: ({ name }) => (name === "known" ? hooks.url : undefined) }),
    );
  });

  afterAll(async () => {
    await server.stop();
    await hooks.close();
  });

  const during = async (
    ref: typeof validating | typeof mutating,
    hook: Hook,
    more: object,
    run: () => Promise<void>,
  ) => {
    hooks.reset({ "/hook": hook });
    const webhook = {
      name: "a.b.c",
      clientConfig: { service: { namespace: "n", name: "known", path: "/hook" }, caBundle: hooks.caBundle },
      rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      ...more,
    };
    const kind = ref === mutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration";
    const configuration = { apiVersion: `${ref.group}/v1`, kind, metadata: { name: "hooks" }, webhooks: [webhook] };
    await server.store.create(ref, configuration);
    try {
      await run();
    } finally {
      await server.store.delete(ref, { name: "hooks" });
    }
  };
  const operations = () => hooks.calls.map(({ review }) => review.request.operation);

  it("make nothing of built-in kinds that cannot be decoded, and their base64 is stored in one line", async () => {
    const bytes = (k: string) => patchWith({ op: "add", path: "/binaryData", value: { k } });
    await during(mutating, bytes("no base64!"), {}, async () => {
      await expect(server.store.create(configMaps, configMap("bytes"))).rejects.toMatchObject({
        status: { code: 500 },
      });
    });
    await during(mutating, bytes("aGVs\nbG8="), {}, async () => {
      expect((await server.store.create(configMaps, configMap("lines")))["binaryData"]).toEqual({ k: "aGVsbG8=" });
    });
  });

  it("are found through their Service, and never asked about their own configuration", async () => {
    await during(validating, allow, {}, async () => {
      await server.store.create(configMaps, configMap("found"));
    });
    expect(hooks.calls.map(({ url, review }) => [url, review.request.name])).toEqual([["/hook?timeout=10s", "found"]]);
  });

  it("fail when the clock says that the time is over", async () => {
    let received: (() => void) | undefined;
    const called = new Promise<void>((resolve) => {
      received = resolve;
    });
    const never: Hook = () => {
      received?.();
      return { never: true };
    };
    await during(validating, never, { timeoutSeconds: 7 }, async () => {
      const created = server.store.create(configMaps, configMap("late")).catch((error: unknown) => error);
      await called;
      await server.clock.advance(7_000);
      expect(await created).toMatchObject({ status: { code: 500, message: expect.stringContaining("within 7 s") } });
    });
  });

  it("are asked once more when a connection ends without an answer, and not a third time", async () => {
    let calls = 0;
    const once: Hook = () => (++calls === 2 ? { cut: true } : allow());
    await during(validating, once, {}, async () => {
      await server.store.create(configMaps, configMap("first"));
      await server.store.create(configMaps, configMap("second"));
    });
    expect(hooks.calls.map(({ review }) => review.request.name)).toEqual(["first", "second", "second"]);
    await during(
      validating,
      () => ({ cut: true }),
      {},
      async () => {
        await expect(server.store.create(configMaps, configMap("third"))).rejects.toMatchObject({
          status: { code: 500 },
        });
      },
    );
    expect(hooks.calls).toHaveLength(2);
  });

  it("are selected by the labels of the new or the old object", async () => {
    await during(validating, allow, { objectSelector: { matchLabels: { a: "b" } } }, async () => {
      await server.store.create(configMaps, configMap("labels"));
      const set = await server.store.update(configMaps, configMap("labels", { a: "b" }));
      await server.store.update(configMaps, { ...set, metadata: { ...set.metadata, labels: {} } });
      await server.store.update(configMaps, configMap("labels", { c: "d" }));
    });
    expect(operations()).toEqual(["UPDATE", "UPDATE"]);
  });

  it("that mutate are told of deletions", async () => {
    await server.store.create(configMaps, configMap("gone"));
    await during(mutating, allow, {}, async () => {
      await server.store.delete(configMaps, { namespace: "default", name: "gone" });
    });
    expect(operations()).toEqual(["DELETE"]);
  });

  it("may not turn an object into another kind", async () => {
    await during(mutating, patchWith({ op: "replace", path: "/kind", value: "Secret" }), {}, async () => {
      await expect(server.store.create(configMaps, configMap("kind"))).rejects.toMatchObject({
        status: { code: 500, message: expect.stringContaining("changes apiVersion or kind") },
      });
    });
  });
});
