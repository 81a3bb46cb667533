import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, expectCode, expectStatus } from "./expectations.ts";
import { allow, type Hook, type HookCall, type HookServer, startHookServer } from "./hook-server.ts";
import { coreApi } from "./objects.ts";
import type { Section } from "./suite.ts";

const registration = "/apis/admissionregistration.k8s.io/v1";
const hooks = `${registration}/validatingwebhookconfigurations`;
const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

const deny: Hook = () => ({ response: { allowed: false, status: { message: "not now" } } });

/** Admission of what is created without being stored, and races. */
export const actionsAndRaces: Section = (suite) => {
  let server: HookServer;
  beforeAll(async () => {
    server = await startHookServer();
  });
  afterAll(() => server.close());

  const pods = (): string => `${coreApi}/namespaces/${suite().namespace}/pods`;
  const newPod = async (name: string, spec: object = {}): Promise<void> => {
    const containers = [{ name: "c", image: "i" }];
    expectCode(await suite().api.post(pods(), { metadata: { name }, spec: { containers, ...spec } }), 201);
  };
  const evict = (name: string) =>
    suite().api.post(`${pods()}/${name}/eviction`, {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name, namespace: suite().namespace },
    });

  /** Runs a case while a webhook is asked about these resources of the namespace; `probe` is repeated until it is. */
  const during = async (
    resources: readonly string[],
    hook: Hook,
    probe: () => Promise<unknown>,
    run: () => Promise<void>,
  ) => {
    const { api, namespace } = suite();
    server.reset({ "/hook": hook });
    const configuration = {
      metadata: { name: "conf-actions" },
      webhooks: [
        {
          name: "actions.conf.capstan.test",
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          clientConfig: { url: `${server.url}/hook`, caBundle: server.caBundle },
          rules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources }],
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
        },
      ],
    };
    expectCode(await api.post(hooks, configuration), 201);
    try {
      await eventually(async () => {
        await probe();
        expect(server.calls.length).toBeGreaterThan(0);
      });
      server.reset({ "/hook": hook });
      await run();
    } finally {
      expectCode(await api.delete(`${hooks}/conf-actions`), 200);
      const before = (): number => server.calls.length;
      await eventually(async () => {
        const known = before();
        await probe();
        expect(before()).toBe(known);
      });
    }
  };
  const last = (): HookCall["review"]["request"] => server.calls.at(-1)?.review.request;

  it("L30 asks webhooks about evictions, and not about the deletion that follows", async () => {
    const { api } = suite();
    await newPod("probe");
    await newPod("evicted");
    const dry = () =>
      api.post(`${pods()}/probe/eviction?dryRun=All`, {
        apiVersion: "policy/v1",
        kind: "Eviction",
        metadata: { name: "probe" },
      });
    await during(["pods", "pods/eviction"], allow, dry, async () => {
      expectCode(await evict("evicted"), 201);
      expect(server.calls).toHaveLength(1);
      expect(last()).toMatchObject({
        operation: "CREATE",
        name: "evicted",
        subResource: "eviction",
        kind: { group: "policy", version: "v1", kind: "Eviction" },
        resource: { group: "", version: "v1", resource: "pods" },
        object: { kind: "Eviction", metadata: { name: "evicted" } },
        oldObject: null,
      });
    });
    await during(["pods/eviction"], deny, dry, async () => {
      expectStatus(await evict("probe"), 400, { message: "not now" });
      expectCode(await api.get(`${pods()}/probe`), 200);
    });
  });

  it("L31 asks webhooks about bindings", async () => {
    const { api } = suite();
    expectCode(await api.post(`${coreApi}/nodes`, { metadata: { name: "conf-bind" } }), 201);
    await newPod("bound");
    const binding = {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name: "bound" },
      target: { kind: "Node", name: "conf-bind" },
    };
    const bind = (query = "") => api.post(`${pods()}/bound/binding${query}`, binding);
    await during(
      ["pods", "pods/binding"],
      allow,
      () => bind("?dryRun=All"),
      async () => {
        expectCode(await bind(), 201);
        expect(server.calls).toHaveLength(1);
        expect(last()).toMatchObject({
          operation: "CREATE",
          subResource: "binding",
          kind: { group: "", version: "v1", kind: "Binding" },
          object: { target: { name: "conf-bind" } },
        });
      },
    );
    expect((await api.get(`${pods()}/bound`)).body.spec.nodeName).toBe("conf-bind");
  });

  it("L32 asks webhooks about tokens", async () => {
    const { api, namespace } = suite();
    const path = `${coreApi}/namespaces/${namespace}/serviceaccounts/default/token`;
    const request = () => api.post(path, { spec: { audiences: ["x"] } });
    await during(["serviceaccounts/token"], deny, request, async () => {
      expectStatus(await request(), 400, { message: "not now" });
      expect(last()).toMatchObject({
        name: "default",
        subResource: "token",
        kind: { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" },
        object: { spec: { audiences: ["x"] } },
      });
    });
    expectCode(await request(), 201);
  });

  it("L33 holds evictions against policies", async () => {
    const { api, namespace } = suite();
    await newPod("guarded");
    const metadata = { name: "conf-eviction-policy" };
    const resourceRules = [
      { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods/eviction"] },
    ];
    const validations = [{ expression: "object.metadata.name != 'guarded'", message: "stays" }];
    const namespaceSelector = { matchLabels: { "kubernetes.io/metadata.name": namespace } };
    const spec = { matchConstraints: { resourceRules, namespaceSelector }, validations };
    expectCode(await api.post(`${registration}/validatingadmissionpolicies`, { metadata, spec }), 201);
    const bound = { policyName: metadata.name, validationActions: ["Deny"] };
    expectCode(await api.post(`${registration}/validatingadmissionpolicybindings`, { metadata, spec: bound }), 201);
    const dry = () =>
      api.post(`${pods()}/guarded/eviction?dryRun=All`, {
        apiVersion: "policy/v1",
        kind: "Eviction",
        metadata: { name: "guarded" },
      });
    await eventually(async () => expectStatus(await dry(), 422, { message: "stays" }));
    expectStatus(await evict("guarded"), 422, { message: "stays" });
    await api.delete(`${registration}/validatingadmissionpolicybindings/${metadata.name}`);
    await api.delete(`${registration}/validatingadmissionpolicies/${metadata.name}`);
  });

  it("L34 accepts the names of one of two definitions that come together", async () => {
    const { api } = suite();
    const definition = (plural: string) => ({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${plural}.race.capstan.test` },
      spec: {
        group: "race.capstan.test",
        scope: "Cluster",
        names: { plural, kind: "Racer", singular: plural },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    });
    const plurals = ["racersa", "racersb", "racersc"];
    const answers = await Promise.all(plurals.map((plural) => api.post(crds, definition(plural))));
    for (const answer of answers) expectCode(answer, 201);
    const accepted = async (): Promise<readonly string[]> => {
      const found = await Promise.all(plurals.map((plural) => api.get(`${crds}/${plural}.race.capstan.test`)));
      return found.map(
        ({ body }) =>
          body.status.conditions?.find(({ type }: { type: string }) => type === "NamesAccepted")?.status as string,
      );
    };
    await eventually(async () => expect((await accepted()).toSorted()).toEqual(["False", "False", "True"]));
    for (const plural of plurals) await api.delete(`${crds}/${plural}.race.capstan.test`);
  });

  it("L35 gives Services that come together addresses of their own", async () => {
    const { api, namespace } = suite();
    const path = `${coreApi}/namespaces/${namespace}/services`;
    const spec = { type: "NodePort", ports: [{ port: 80 }] };
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => api.post(path, { metadata: { name: `s${index}` }, spec })),
    );
    for (const answer of answers) expectCode(answer, 201);
    const addresses = answers.map(({ body }) => body.spec.clusterIP as string);
    const ports = answers.map(({ body }) => body.spec.ports[0].nodePort as number);
    expect(new Set(addresses).size).toBe(30);
    expect(new Set(ports).size).toBe(30);
  });
};
