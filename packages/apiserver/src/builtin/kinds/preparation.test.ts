import { CapstanError } from "@capstan/contract";
import type { KubeObject } from "@capstan/schema";
import { describe, expect, it } from "vitest";
import type { HookContext, ResourceDefinition } from "../../model/types.ts";
import { builtinDefinitions } from "../definitions.ts";

const definitions = builtinDefinitions();
const definitionOf = (resource: string): ResourceDefinition => {
  const found = definitions.find(({ group, plural }) => `${group}/${plural}` === resource);
  if (found === undefined) {
    throw new Error(`no definition of ${resource}`);
  }
  return found;
};

const now = Date.parse("2026-01-01T00:00:00Z");
const contextWith = (others: readonly KubeObject[] = []): HookContext => ({
  user: { name: "alice", groups: ["devs"] },
  now,
  random: { next: () => 0, bytes: (length) => new Uint8Array(length) },
  dryRun: false,
  warn: () => undefined,
  store: { peekAll: () => others } as unknown as HookContext["store"],
});

type Fields = Readonly<Record<string, unknown>>;
const make = (fields: Fields, metadata: Fields = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Thing",
  metadata: { name: "n", namespace: "ns", ...metadata },
  ...fields,
});

/** Defaults and preparation as the pipeline does them. */
const created = async (resource: string, fields: Fields, others: readonly KubeObject[] = []): Promise<KubeObject> => {
  const { applyDefaults, strategy } = definitionOf(resource);
  const object = make(fields);
  const defaulted = applyDefaults?.(object) ?? object;
  return (await strategy.prepareForCreate?.(defaulted, contextWith(others))) ?? defaulted;
};
const podSpec = { containers: [{ name: "c", image: "i:1" }] };
const template = { metadata: { labels: { a: "b" } }, spec: podSpec };
const selector = { matchLabels: { a: "b" } };
const webhook = {
  name: "a.b.c",
  sideEffects: "None",
  clientConfig: { url: "https://localhost/x" },
  admissionReviewVersions: ["v1"],
};

describe("what creation fills in", () => {
  it("namespaces are active, labelled and held", async () => {
    expect(await created("/namespaces", {})).toMatchObject({
      metadata: { labels: { "kubernetes.io/metadata.name": "n" } },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    });
  });

  it("secrets take stringData over data", async () => {
    const secret = await created("/secrets", { data: { a: "MQ==", b: "MQ==" }, stringData: { a: "2" } });
    expect(secret).toMatchObject({ type: "Opaque", data: { a: "Mg==", b: "MQ==" } });
    expect(secret).not.toHaveProperty("stringData");
  });

  it.each([{ stringData: { a: 1 } }, { stringData: { a: {} } }, { stringData: ["a"] }])(
    "secrets lose nothing of what is no text: %o",
    async (body) => expect(await created("/secrets", body)).toMatchObject({ type: "Opaque", ...body }),
  );

  it("pods", async () => {
    const pod = await created("/pods", {
      spec: {
        containers: [
          { name: "c", image: "repo:5000/i", livenessProbe: { httpGet: { port: 1 } } },
          { name: "d", image: "i:1", resources: { requests: { cpu: "1" } } },
        ],
        volumes: [{ name: "s", secret: { secretName: "x" } }, { name: "e" }],
        serviceAccountName: "sa",
      },
    });
    expect(pod).toMatchObject({
      spec: {
        restartPolicy: "Always",
        terminationGracePeriodSeconds: 30,
        serviceAccount: "sa",
        enableServiceLinks: true,
        containers: [
          {
            imagePullPolicy: "Always",
            resources: {},
            livenessProbe: { periodSeconds: 10, httpGet: { path: "/", scheme: "HTTP" } },
          },
          { imagePullPolicy: "IfNotPresent" },
        ],
        volumes: [{ secret: { defaultMode: 420 } }, { emptyDir: {} }],
      },
      status: { phase: "Pending", qosClass: "Burstable" },
    });
  });

  it("deployments, and only what is missing", async () => {
    const deployment = await created("apps/deployments", {
      spec: { selector, template, strategy: { rollingUpdate: { maxSurge: 1 } } },
    });
    expect(deployment).toMatchObject({
      spec: {
        replicas: 1,
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: "25%" } },
        template: { spec: { restartPolicy: "Always" } },
      },
    });
    const recreate = await created("apps/deployments", {
      spec: { selector, template, strategy: { type: "Recreate" } },
    });
    expect(recreate).toHaveProperty("spec.strategy", { type: "Recreate" });
  });

  it("webhooks and bindings", async () => {
    expect(
      await created("admissionregistration.k8s.io/mutatingwebhookconfigurations", {
        webhooks: [{ ...webhook, clientConfig: { service: { name: "s", namespace: "n" } }, rules: [{}] }],
      }),
    ).toHaveProperty("webhooks", [
      {
        ...webhook,
        clientConfig: { service: { name: "s", namespace: "n", port: 443 } },
        failurePolicy: "Fail",
        matchPolicy: "Equivalent",
        timeoutSeconds: 10,
        namespaceSelector: {},
        objectSelector: {},
        reinvocationPolicy: "Never",
        rules: [{ scope: "*" }],
      },
    ]);
    const subjects = [
      { kind: "User", name: "u" },
      { kind: "ServiceAccount", name: "s", namespace: "n" },
    ];
    expect(
      await created("rbac.authorization.k8s.io/rolebindings", { roleRef: { kind: "Role", name: "r" }, subjects }),
    ).toMatchObject({
      roleRef: { apiGroup: "rbac.authorization.k8s.io" },
      subjects: [{ kind: "User", name: "u", apiGroup: "rbac.authorization.k8s.io" }, subjects[1]],
    });
  });

  it("certificate requests name their author", async () => {
    const request = await created("certificates.k8s.io/certificatesigningrequests", { spec: { username: "root" } });
    expect(request).toHaveProperty("spec", { username: "alice", groups: ["devs"] });
  });
});

const service = (spec: Fields): KubeObject => make({ spec }, { uid: "other" });

describe("services", () => {
  const one = { ports: [{ port: 80 }] };

  it("get a free address that is not held back, and default ports", async () => {
    const others = [service({ clusterIP: "10.0.0.17" })];
    expect(await created("/services", { spec: one }, others)).toHaveProperty("spec", {
      type: "ClusterIP",
      sessionAffinity: "None",
      clusterIP: "10.0.0.18",
      clusterIPs: ["10.0.0.18"],
      internalTrafficPolicy: "Cluster",
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
    });
  });

  it("never get the address of the Service kubernetes, and none when there is none", async () => {
    const range = Array.from({ length: 252 }, (_, index) => service({ clusterIP: `10.0.0.${index + 3}` }));
    expect(await created("/services", { spec: one }, range)).toHaveProperty("spec.clusterIP", "10.0.0.2");
    const full = [...range, service({ clusterIP: "10.0.0.2" })];
    await expect(created("/services", { spec: one }, full)).rejects.toThrow("range is full");
  });

  it("keep a free address that is asked for and refuse others", async () => {
    const others = [service({ clusterIP: "10.0.0.9" })];
    expect(await created("/services", { spec: { ...one, clusterIP: "10.0.0.8" } }, others)).toHaveProperty(
      "spec.clusterIP",
      "10.0.0.8",
    );
    await expect(created("/services", { spec: { ...one, clusterIP: "10.0.0.9" } }, others)).rejects.toThrow(
      "already allocated",
    );
    await expect(created("/services", { spec: { ...one, clusterIP: "10.1.0.9" } })).rejects.toThrow("valid range");
    await expect(created("/services", { spec: { ...one, clusterIP: "x" } })).rejects.toThrow(CapstanError);
  });

  it("get node ports when they are reached from outside", async () => {
    const others = [service({ ports: [{ port: 1, nodePort: 30_086 }] })];
    const spec = {
      type: "LoadBalancer",
      ports: [
        { name: "a", port: 80 },
        { name: "b", port: 81, nodePort: 31_000 },
      ],
    };
    expect(await created("/services", { spec }, others)).toMatchObject({
      spec: {
        externalTrafficPolicy: "Cluster",
        allocateLoadBalancerNodePorts: true,
        ports: [{ nodePort: 30_087 }, { nodePort: 31_000 }],
      },
    });
    const taken = { type: "NodePort", ports: [{ port: 80, nodePort: 30_086 }] };
    await expect(created("/services", { spec: taken }, others)).rejects.toThrow("already allocated");
    const low = { type: "NodePort", ports: [{ port: 80, nodePort: 80 }] };
    await expect(created("/services", { spec: low })).rejects.toThrow("valid range");
  });

  it("keep address and node ports through updates that leave them out", async () => {
    const old = await created("/services", { spec: { type: "NodePort", ports: [{ port: 80, protocol: "TCP" }] } });
    const { strategy, applyDefaults } = definitionOf("/services");
    const update = applyDefaults?.(make({ spec: { type: "NodePort", ports: [{ port: 80 }] } })) ?? old;
    expect(strategy.prepareForUpdate?.(update, old, contextWith())?.["spec"]).toEqual(old["spec"]);
  });

  it("without address are headless or aliases", async () => {
    expect(await created("/services", { spec: { clusterIP: "None" } })).toHaveProperty("spec.clusterIPs", ["None"]);
    const alias = await created("/services", { spec: { type: "ExternalName", externalName: "x.example" } });
    expect(alias).not.toHaveProperty("spec.clusterIP");
  });
});

describe("events", () => {
  it("are the same in both groups", async () => {
    const { storage } = definitionOf("events.k8s.io/events");
    const core = {
      ...make({
        involvedObject: { name: "o" },
        message: "m",
        count: 2,
        source: { component: "c" },
        reportingComponent: "r",
      }),
      kind: "Event",
    };
    const [modern] = (await storage.fromStorage?.([core])) ?? [];
    expect(modern).toEqual({
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: core.metadata,
      regarding: { name: "o" },
      note: "m",
      deprecatedCount: 2,
      deprecatedSource: { component: "c" },
      reportingController: "r",
    });
    expect(await storage.toStorage?.([modern ?? core])).toEqual([core]);
    expect(storage).toMatchObject({ store: "/events", apiVersion: "v1" });
  });
});

const before = (resource: string, object: KubeObject, gracePeriodSeconds?: number) =>
  definitionOf(resource).strategy.beforeDelete?.(
    object,
    gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds },
    contextWith(),
  );

describe("deletion", () => {
  it("of pods waits for the kubelet", () => {
    const onNode = make({ spec: { nodeName: "node" } });
    expect(before("/pods", onNode)).toBe(30);
    expect(before("/pods", make({ spec: { nodeName: "node", terminationGracePeriodSeconds: 5 } }))).toBe(5);
    expect(before("/pods", onNode, 7)).toBe(7);
    expect(before("/pods", onNode, 0)).toBeUndefined();
    expect(before("/pods", make({ spec: {} }))).toBeUndefined();
    expect(before("/pods", make({ spec: { nodeName: "node" }, status: { phase: "Failed" } }))).toBeUndefined();
  });

  it("of namespaces makes them terminate until they are finalized", async () => {
    const namespace = await created("/namespaces", {});
    const ending = before("/namespaces", namespace) as KubeObject;
    expect(ending).toMatchObject({
      metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" },
      status: { phase: "Terminating" },
    });
    const { strategy, subresources } = definitionOf("/namespaces");
    expect(strategy.retains?.(ending)).toBe(true);
    const finalize = subresources.find(({ name }) => name === "finalize")?.behaviour;
    const finalized = finalize?.type === "part" ? finalize.take(make({ spec: {} }), ending, contextWith()) : ending;
    expect(strategy.retains?.(finalized)).toBe(false);
    expect(strategy.prepareForUpdate?.(make({}), ending, contextWith())).toHaveProperty("spec.finalizers", [
      "kubernetes",
    ]);
  });

  it.each(["default", "kube-system", "kube-public"])("of namespace %s is forbidden", (name) => {
    expect(() => before("/namespaces", make({}, { name }))).toThrow("may not be deleted");
  });
});

describe("selectable fields", () => {
  it.each([
    ["/pods", "spec.nodeName", { spec: { nodeName: "x" } }, "x"],
    ["/pods", "spec.hostNetwork", {}, "false"],
    ["/pods", "status.phase", {}, ""],
    ["/nodes", "spec.unschedulable", { spec: { unschedulable: true } }, "true"],
    ["/secrets", "type", { type: "Opaque" }, "Opaque"],
    ["/namespaces", "status.phase", { status: { phase: "Active" } }, "Active"],
    ["/events", "involvedObject.uid", { involvedObject: { uid: "u" } }, "u"],
    ["/events", "source", { reportingComponent: "r" }, "r"],
  ])("%s %s", (resource, label, fields, value) => {
    expect(definitionOf(resource).selectableFields[label]?.(make(fields))).toBe(value);
  });
});

describe("scale", () => {
  it("shows the selector as text", () => {
    const behaviour = definitionOf("apps/deployments").subresources.find(({ name }) => name === "scale")?.behaviour;
    const expressions = [
      { key: "z", operator: "Exists" },
      { key: "c", operator: "NotIn", values: ["2", "1"] },
      { key: "b", operator: "In", values: ["1"] },
      { key: "y", operator: "DoesNotExist" },
    ];
    const object = make({ spec: { selector: { matchLabels: { a: "b" }, matchExpressions: expressions } } });
    expect(behaviour?.type === "scale" && behaviour.scale.selectorOf?.(object)).toBe("a=b,b in (1),c notin (1,2),!y,z");
  });
});
