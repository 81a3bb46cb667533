import { Agent, request } from "node:https";
import type { TLSSocket } from "node:tls";
import { Secret } from "@capstan/contract";
import { createCertificateAuthority, issueCertificate } from "@capstan/pki";
import { type KubeObject, resource } from "@capstan/schema";
import { recentClock } from "@capstan/testing";
import { afterEach, expect, it } from "vitest";
import { createMetrics } from "../src/index.ts";
import {
  createWebhookServer,
  kindWebhooks,
  routeKinds,
  type ServingCertificate,
  type Verdict,
  webhookConfigurations,
  type WebhookServer,
} from "../src/webhook.ts";

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const setup = async (declare: (server: WebhookServer) => void, limits: { readonly maxBodyBytes?: number } = {}) => {
  const clock = recentClock();
  const metrics = createMetrics();
  const validity = { now: clock.now(), algorithm: "ECDSA-P256" as const };
  const authority = await createCertificateAuthority(validity);
  const issue = async (commonName: string): Promise<ServingCertificate> => {
    const hosts = ["127.0.0.1"];
    const { certificate, key } = await issueCertificate(authority, {
      ...validity,
      commonName,
      hosts,
      usages: ["server"],
    });
    return { certificate, key: new Secret(key) };
  };
  const served = { certificate: await issue("first") };
  const certificate = async (): Promise<ServingCertificate> => served.certificate;
  const server = createWebhookServer({ host: "127.0.0.1", port: 0, certificate, clock, metrics, ...limits });
  declare(server);
  const stop = new AbortController();
  const running = server.run({ signal: stop.signal });
  closing.push(async () => {
    stop.abort();
    await running;
  });
  await clock.advanceUntil(() => server.port !== 0, { stepMs: 1 });
  const post = (
    path: string,
    body: unknown,
    agent: Agent | false = false,
  ): Promise<{ code: number; body: string; servedBy: string; keepAlive?: string | undefined }> =>
    new Promise((resolve, reject) => {
      const options = {
        host: "127.0.0.1",
        port: server.port,
        path,
        method: "POST",
        ca: authority.certificate,
        agent,
      };
      const call = request(options, (response) => {
        let text = "";
        const socket = response.socket as TLSSocket;
        const servedBy = String(socket.getPeerCertificate().subject.CN);
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        const keepAlive = response.headers["keep-alive"]?.toString();
        response.on("end", () => resolve({ code: response.statusCode ?? 0, body: text, servedBy, keepAlive }));
      });
      call.on("error", reject);
      call.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  return { clock, metrics, server, served, issue, post };
};

const widget = {
  apiVersion: "test.capstan.dev/v1",
  kind: "Widget",
  metadata: { name: "w" },
  spec: { size: 1, list: [1] },
};

const admission = (object: unknown) => ({
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  request: { uid: "u-1", operation: "CREATE", object, oldObject: null },
});

it("validates", async () => {
  const { post, metrics } = await setup((server) =>
    server.validate("/validate", ({ object }) =>
      object?.["spec"] === undefined
        ? {
            allowed: false,
            message: "spec is missing",
            code: 422,
            reason: "Invalid",
            causes: [{ reason: "FieldValueRequired", field: "spec", message: "Required value" }],
          }
        : { allowed: true, warnings: ["size is deprecated"] },
    ),
  );
  const allowed = await post("/validate?timeout=10s", admission(widget));
  expect(JSON.parse(allowed.body)).toEqual({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    response: { uid: "u-1", allowed: true, warnings: ["size is deprecated"] },
  });
  const denied = await post("/validate", admission({ ...widget, spec: undefined }));
  expect((JSON.parse(denied.body) as { response: unknown }).response).toEqual({
    uid: "u-1",
    allowed: false,
    status: {
      status: "Failure",
      message: "spec is missing",
      reason: "Invalid",
      code: 422,
      details: { causes: [{ reason: "FieldValueRequired", field: "spec", message: "Required value" }] },
    },
  });
  expect(await metrics.text()).toContain('controller_runtime_webhook_requests_total{webhook="/validate",code="200"} 2');
});

it("asks about the scale of a kind by its resource, where the kind wants to be asked", async () => {
  const kind = resource({ group: "test.capstan.dev", version: "v1", kind: "Widget", plural: "widgets" });
  const even: Verdict = { allowed: false, message: "must be odd" };
  const kinds = [
    kindWebhooks({
      kind,
      validate: () => ({ allowed: true, warnings: ["of the object"] }),
      validateScale: ({ object }) => ((object?.spec?.replicas ?? 0) % 2 === 0 ? even : { allowed: true }),
    }),
    kindWebhooks({ kind: { ...kind, kind: "Gadget", plural: "gadgets" }, validate: () => even }),
  ];
  const { post } = await setup((server) => routeKinds(server, kinds));
  const scaled = async (plural: string, replicas: number) => {
    const { request: review, ...body } = admission({ spec: { replicas } });
    const of = {
      subResource: "scale",
      kind: { group: "autoscaling", version: "v1", kind: "Scale" },
      resource: { group: kind.group, version: "v1", resource: plural },
    };
    const answer = await post("/validate", { ...body, request: { ...review, ...of } });
    return (JSON.parse(answer.body) as { response: object }).response;
  };
  expect(await scaled("widgets", 4)).toMatchObject({ allowed: false, status: { message: "must be odd" } });
  expect(await scaled("widgets", 3)).toEqual({ uid: "u-1", allowed: true });
  expect(await scaled("gadgets", 4)).toEqual({ uid: "u-1", allowed: true });

  const endpoint = { url: "https://127.0.0.1:9443" };
  const [configuration, ...others] = webhookConfigurations({ name: "w", endpoint, kinds });
  expect(others).toEqual([]);
  const { webhooks } = configuration as KubeObject & { webhooks: { rules: { resources: string[] }[] }[] };
  expect(webhooks.map(({ rules }) => rules[0]?.resources)).toEqual([["widgets", "widgets/scale"], ["gadgets"]]);
});

it("mutates by a JSON patch of what differs", async () => {
  const { post } = await setup((server) =>
    server.mutate("/mutate", ({ object }) => ({
      object: {
        ...widget,
        ...object,
        metadata: { name: "w", annotations: { "a/b~c": "x" } },
        spec: { size: 2, list: [1, 2] },
      },
    })),
  );
  const { response } = JSON.parse((await post("/mutate", admission({ ...widget, status: {} }))).body) as {
    response: { patch: string; patchType: string; allowed: boolean };
  };
  expect(response).toMatchObject({ allowed: true, patchType: "JSONPatch" });
  expect(JSON.parse(atob(response.patch))).toEqual([
    { op: "add", path: "/metadata/annotations", value: { "a/b~c": "x" } },
    { op: "replace", path: "/spec/size", value: 2 },
    { op: "replace", path: "/spec/list", value: [1, 2] },
  ]);
});

it("has the API server take an object of another version back from its conversion", async () => {
  const { post } = await setup((server) => server.mutate("/mutate", ({ object }) => ({ object: object ?? widget })));
  const review = admission(widget);
  const kind = { group: "test.capstan.dev", version: "v1", kind: widget.kind };
  const patchOf = async (requestKind: typeof kind): Promise<unknown> => {
    const { body } = await post("/mutate", { ...review, request: { ...review.request, kind, requestKind } });
    const { patch } = (JSON.parse(body) as { response: { patch?: string } }).response;
    return patch === undefined ? undefined : JSON.parse(atob(patch));
  };
  expect(await patchOf(kind)).toBeUndefined();
  expect(await patchOf({ ...kind, version: "v0" })).toEqual([{ op: "test", path: "/kind", value: widget.kind }]);
});

const conversion = (...names: string[]) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "ConversionReview",
  request: {
    uid: "u-2",
    desiredAPIVersion: "test.capstan.dev/v2",
    objects: names.map((name) => ({ ...widget, metadata: { name } })),
  },
});

it("converts, in order, and says why it cannot", async () => {
  const { post } = await setup((server) =>
    server.convert("/convert", (object, apiVersion) => {
      if (object.metadata.name === "bad") throw new Error("no such shape");
      return { ...object, apiVersion };
    }),
  );
  const good = JSON.parse((await post("/convert", conversion("a", "b"))).body) as { response: Record<string, unknown> };
  expect(good.response).toMatchObject({
    uid: "u-2",
    result: { status: "Success" },
    convertedObjects: [
      { apiVersion: "test.capstan.dev/v2", metadata: { name: "a" } },
      { apiVersion: "test.capstan.dev/v2", metadata: { name: "b" } },
    ],
  });
  const bad = JSON.parse((await post("/convert", conversion("a", "bad"))).body) as {
    response: Record<string, unknown>;
  };
  expect(bad.response).toEqual({ uid: "u-2", result: { status: "Failure", message: "no such shape" } });
});

it("answers with an error what is not a review, and what a handler throws", async () => {
  const { post } = await setup((server) =>
    server.validate("/validate", () => {
      throw new Error("secret detail");
    }),
  );
  expect(await post("/validate", "not json")).toMatchObject({ code: 400, body: "the body is not JSON" });
  expect(await post("/validate", {})).toMatchObject({ code: 400 });
  expect(await post("/validate", admission(widget))).toMatchObject({
    code: 500,
    body: "the webhook failed; its log says why",
  });
  expect(await post("/none", admission(widget))).toMatchObject({ code: 404 });
});

it("serves a renewed certificate without a restart", async () => {
  const { post, clock, served, issue } = await setup((server) => server.validate("/v", () => ({ allowed: true })));
  expect((await post("/v", admission(widget))).servedBy).toBe("first");
  served.certificate = await issue("second");
  await clock.advance(61_000);
  expect((await post("/v", admission(widget))).servedBy).toBe("second");
});

it("gives up when the API server no longer waits, and tells the handler", async () => {
  const aborted = Promise.withResolvers<unknown>();
  const called = Promise.withResolvers<void>();
  const { post, clock } = await setup((server) =>
    server.validate("/slow", (_request, { signal }) => {
      called.resolve();
      signal.addEventListener("abort", () => aborted.resolve(signal.reason), { once: true });
      return new Promise(() => undefined);
    }),
  );
  const answer = post("/slow?timeout=2s", admission(widget));
  let answered: { readonly code: number } | undefined;
  void answer.then((got) => (answered = got));
  await called.promise;
  await clock.advanceUntil(() => answered !== undefined, { maxMs: 3000 });
  expect(await answer).toMatchObject({ code: 504 });
  expect(await aborted.promise).toMatchObject({ code: "runtime.webhook_timeout" });
});

it("keeps a connection for longer than API servers leave it unused", async () => {
  const { post } = await setup((server) => server.validate("/validate", () => ({ allowed: true })));
  const agent = new Agent({ keepAlive: true });
  closing.push(() => agent.destroy());
  const { code, keepAlive } = await post("/validate", admission(widget), agent);
  expect(code).toBe(200);
  expect(Number(/timeout=(\d+)/.exec(keepAlive ?? "")?.[1])).toBeGreaterThan(120);
});

it("does not read more than a review may be long", async () => {
  const { post } = await setup((server) => server.validate("/v", () => ({ allowed: true })), { maxBodyBytes: 1000 });
  expect(await post("/v", admission(widget))).toMatchObject({ code: 200 });
  expect(await post("/v", admission({ ...widget, spec: "x".repeat(1000) }))).toMatchObject({ code: 413 });
});

const about = (group: string) => {
  const review = admission(widget);
  return { ...review, request: { ...review.request, kind: { group, version: "v1", kind: "Widget" } } };
};

it("tells kinds apart, and lets through what nobody asked about", async () => {
  const kind = resource({ group: "test.capstan.dev", version: "v1", kind: "Widget", plural: "widgets" });
  const { post } = await setup((server) =>
    routeKinds(server, [
      {
        kind,
        validate: () => ({ allowed: false, message: "no" }),
        convert: (object, apiVersion) => ({ ...object, apiVersion }),
      },
    ]),
  );
  const allowed = async (path: string, group: string): Promise<unknown> =>
    (JSON.parse((await post(path, about(group))).body) as { response: { allowed: boolean } }).response.allowed;
  expect(await allowed("/validate", "test.capstan.dev")).toBe(false);
  expect(await allowed("/validate", "other.capstan.dev")).toBe(true);
  expect(await allowed("/mutate", "test.capstan.dev")).toBe(true);
  expect((await post("/convert", conversion("a"))).body).toContain('"status":"Success"');
  const strange = conversion("a");
  const objects = strange.request.objects.map((object) => ({ ...object, kind: "Gadget" }));
  const refused = await post("/convert", { ...strange, request: { ...strange.request, objects } });
  expect(refused.body).toContain("Gadget of test.capstan.dev/v1 is not converted here");
});
