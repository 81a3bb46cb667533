import { Secret } from "@capstan/contract";
import { connect, createClient } from "@capstan/kube";
import {
  controller,
  createLogger,
  createManager,
  healthServer,
  systemClock,
  watch,
  watchOwned,
} from "@capstan/runtime";
import { createMetrics, type ReconcileContext } from "@capstan/runtime";
import {
  createWebhookServer,
  kindWebhooks,
  routeKinds,
  secretCertificate,
  webhookConfigurations,
} from "@capstan/runtime/webhook";
import type { ObjectKey } from "@capstan/kube-values";
import { int32, kind, object as fields, optional, resource, string } from "@capstan/schema";
import { expect, it } from "vitest";
import { TinyServer } from "./tiny-server.ts";

const group = "test.capstan.dev";
const Machine = kind({
  group,
  version: "v1",
  kind: "Machine",
  plural: "machines",
  description: "A machine.",
  spec: fields({ clusterName: string({ description: "Its cluster.", maxLength: 63 }) }),
  status: fields({ phase: optional(string({ description: "What became of it.", maxLength: 16 })) }),
});
type Machine = typeof Machine.Type;
const InfraMachine = resource({ group, version: "v1", kind: "InfraMachine", plural: "inframachines" });
const Widget = kind({
  group,
  version: "v1",
  kind: "Widget",
  plural: "widgets",
  description: "A widget.",
  spec: fields({ size: int32({ description: "How large." }) }),
});
type Widget = typeof Widget.Type;

it("the README's quick start reconciles until its signal", async () => {
  const server = await new TinyServer().start();
  server.put("machines", {
    apiVersion: `${group}/v1`,
    kind: "Machine",
    metadata: { namespace: "default", name: "orchid-0" },
    ...({ spec: { clusterName: "orchid" } } as object),
  });
  const [url, ca, token, port] = [server.url, "", new Secret("t0ken"), 0];
  const stop = new AbortController();
  const { signal } = stop;

  const manager = createManager({
    connection: connect({ url, ca, token, clock: systemClock }),
    log: createLogger({ format: "text" }),
    leaderElection: { namespace: "capstan-system", name: "capstan" },
  });
  manager.add(
    controller({
      name: "machine",
      sources: [watch(Machine), watchOwned(InfraMachine, Machine)],
      setup: ({ cache }) => cache.informer(Machine).addIndex("cluster", (machine) => [machine.spec.clusterName]),
      reconcile: async (request, { cache, client, log }) => {
        const machine = cache.get(Machine, request);
        if (machine === undefined) return undefined; // gone: nothing to do
        if (machine.status?.phase === "Seen") return { requeueAfterMs: 10_000 }; // look again
        log.info("seen for the first time", { cluster: machine.spec.clusterName });
        const status = { type: "merge", body: { status: { phase: "Seen" } } } as const;
        await client.patch(Machine, request, status, { subresource: "status" });
        return undefined;
      },
    }),
  );
  manager.addRunnable(healthServer(manager, { port }));

  const seen = Promise.withResolvers<undefined>();
  const reconcile = async (request: ObjectKey, { cache }: ReconcileContext): Promise<void> => {
    if (cache.get(Machine, request)?.status?.phase === "Seen") seen.resolve(undefined);
  };
  manager.add(controller({ name: "witness", sources: [watch(Machine)], reconcile }));
  const running = manager.run({ signal });
  await seen.promise;
  stop.abort();
  await running;
  await server.stop();
});

it("the README's webhooks are served under a certificate from a Secret", async () => {
  const tiny = await new TinyServer().start();
  const clock = systemClock;
  const connection = connect({ url: tiny.url, clock });
  const [client, metrics, namespace, hosts] = [createClient(connection), createMetrics(), "system", ["127.0.0.1"]];
  const manager = createManager({ connection });
  const withDefaults = (widget: Widget): Widget => ({ ...widget, spec: { size: widget.spec?.size ?? 1 } });
  const port = 0;

  const certificate = secretCertificate({ client, clock, secret: { namespace, name: "webhook" }, hosts });
  const webhooks = createWebhookServer({
    port,
    certificate: async () => (await certificate()).serving,
    clock,
    metrics,
  });
  const kinds = [
    kindWebhooks({
      kind: Widget,
      mutate: ({ object }) => (object === null ? { allowed: true } : { object: withDefaults(object) }),
      validate: ({ object }) => (object?.spec.size === 0 ? { allowed: false, message: "empty" } : { allowed: true }),
      convert: (object, apiVersion) => ({ ...object, apiVersion }),
    }),
  ];
  routeKinds(webhooks, kinds); // /mutate, /validate, /convert
  manager.addRunnable(webhooks);

  const { caBundle } = await certificate();
  const endpoint = { url: "https://127.0.0.1:9443" };
  const configurations = webhookConfigurations({ name: "widgets", endpoint, caBundle, kinds });
  expect(configurations.map(({ kind: configured }) => configured)).toEqual([
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
  ]);
  await connection.close();
  await tiny.stop();
});
