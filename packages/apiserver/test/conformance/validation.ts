import { expect, it } from "vitest";
import type { Answer } from "./api.ts";
import { expectCode, expectStatus } from "./expectations.ts";
import { coreApi } from "./objects.ts";
import type { Section } from "./suite.ts";
import { validationCases } from "./validation-cases.ts";
import { updateCases } from "./validation-updates.ts";

const clusterScoped: ReadonlySet<string> = new Set([
  "apiservices",
  "clusterrolebindings",
  "csidrivers",
  "csinodes",
  "nodes",
  "persistentvolumes",
  "priorityclasses",
  "storageclasses",
  "volumeattachments",
]);

const containersOf = (image: string) => ({ containers: [{ name: "c", image }] });

/** What new objects of the usual kinds are refused for. */
export const validation: Section = (suite) => {
  const collection = (api: string, plural: string): string =>
    clusterScoped.has(plural) ? `${api}/${plural}` : `${api}/namespaces/${suite().namespace}/${plural}`;

  it.each(validationCases)("%s", async (_title, group, plural, object, causes) => {
    const body = { ...object, metadata: { name: "n", ...(object as { readonly metadata?: object }).metadata } };
    const answer = await suite().api.post(collection(group, plural), body, { query: { dryRun: "All" } });
    if (typeof causes === "number") {
      expectStatus(answer, causes);
    } else if (causes.length === 0) {
      expectCode(answer, 201);
      expect(answer.body.metadata.uid).toBeDefined();
    } else {
      expectStatus(answer, 422, { reason: "Invalid", causes: causes.map((cause) => `FieldValue${cause}`) });
    }
  });

  it.each(updateCases.map((each, index) => [...each, index] as const))(
    "%s",
    async (_title, group, plural, object, patch, causes, index) => {
      const { api, namespace } = suite();
      const path = collection(group, plural);
      const name = `${namespace}-${index}`;
      expectCode(await api.post(path, { ...object, metadata: { name } }), 201);
      const answer = await api.mergePatch(`${path}/${name}`, patch);
      if (causes.length === 0) {
        expectCode(answer, 200);
      } else {
        expectStatus(answer, 422, { reason: "Invalid", causes: causes.map((cause) => `FieldValue${cause}`) });
      }
    },
  );

  it("templates have metadata, if only empty", async () => {
    const { api } = suite();
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
    const spec = { schedule: "@daily", jobTemplate: { spec: { template } } };
    const body = { metadata: { name: "templates" }, spec };
    const { body: created } = await api.post(collection("/apis/batch/v1", "cronjobs"), body);
    const { jobTemplate } = created.spec;
    expect([jobTemplate.metadata, jobTemplate.spec.template.metadata]).toEqual([{}, {}]);
  });

  it("a DaemonSet says how often its template has changed", async () => {
    const { api } = suite();
    const path = collection("/apis/apps/v1", "daemonsets");
    const labels = { app: "x" };
    const spec = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: containersOf("i") } };
    const annotation = "deprecated.daemonset.template.generation";
    const counts: string[] = [];
    const note = async (answer: Promise<Answer>): Promise<void> => {
      const { body } = await answer;
      counts.push(body.metadata.annotations[annotation]);
    };
    await note(api.post(path, { metadata: { name: "counted", annotations: { own: "x" } }, spec }));
    await note(api.mergePatch(`${path}/counted`, { spec: { minReadySeconds: 3 } }));
    await note(api.mergePatch(`${path}/counted`, { spec: { template: { spec: containersOf("j") } } }));
    await note(api.mergePatch(`${path}/counted`, { metadata: { annotations: { [annotation]: "9" } } }));
    await note(api.mergePatch(`${path}/counted`, { metadata: { annotations: null } }));
    expect(counts).toEqual(["1", "1", "2", "2", "2"]);
    await note(api.post(path, { metadata: { name: "brought", annotations: { [annotation]: "7" } }, spec }));
    expect(counts.at(-1)).toBe("7");
  });

  it("what is empty or 0 counts as unset where Kubernetes has no pointer", async () => {
    const { api } = suite();
    const dryRun = { query: { dryRun: "All" } };
    const metadata = { name: "empties" };
    const livenessProbe = { httpGet: { port: 80, path: "", scheme: "" }, timeoutSeconds: 0, periodSeconds: 0 };
    const container = { name: "c", image: "i", imagePullPolicy: "", terminationMessagePolicy: "", livenessProbe };
    const spec = { restartPolicy: "", dnsPolicy: "", schedulerName: "", containers: [container] };
    const pod = await api.post(collection(coreApi, "pods"), { metadata, spec }, dryRun);
    expectCode(pod, 201);
    expect(pod.body.spec).toMatchObject({
      restartPolicy: "Always",
      dnsPolicy: "ClusterFirst",
      schedulerName: "default-scheduler",
      containers: [
        {
          imagePullPolicy: "Always",
          terminationMessagePolicy: "File",
          livenessProbe: { httpGet: { path: "/", scheme: "HTTP" }, timeoutSeconds: 1, periodSeconds: 10 },
        },
      ],
    });
    const ports = [{ port: 80, protocol: "" }];
    const service = { metadata, spec: { type: "", sessionAffinity: "", ports } };
    const { body } = await api.post(collection(coreApi, "services"), service, dryRun);
    expect(body).toMatchObject({
      spec: { type: "ClusterIP", sessionAffinity: "None", ports: [{ protocol: "TCP" }] },
      status: { loadBalancer: {} },
    });
  });

  it("amounts are kept in one form, and what is absent follows from what is there", async () => {
    const { api } = suite();
    const dryRun = { query: { dryRun: "All" } };
    const metadata = { name: "amounts" };
    const resources = { limits: { cpu: 1, memory: "1024Mi" }, requests: { memory: "0.5Gi" } };
    const spec = { containers: [{ name: "c", image: "i", resources }] };
    const pod = await api.post(collection(coreApi, "pods"), { metadata, spec }, dryRun);
    expect(pod.body.spec.containers[0].resources).toEqual({
      limits: { cpu: "1", memory: "1Gi" },
      requests: { cpu: "1", memory: "512Mi" },
    });
    const volume = { accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } };
    for (const [given, kept] of [
      ["100M", "100M"],
      ["1500m", "1500m"],
      ["0.1", "100m"],
      ["0.5Ki", "512"],
      ["1000000", "1M"],
      ["1u", "1m"],
      ["1048576Ki", "1Gi"],
      ["1.5Gi", "1536Mi"],
      ["1e-1", "100e-3"],
      ["123e5", "12300e3"],
    ]) {
      const body = { metadata, spec: { ...volume, capacity: { storage: given } } };
      const { body: created } = await api.post(collection(coreApi, "persistentvolumes"), body, dryRun);
      expect(created.spec.capacity).toEqual({ storage: kept });
    }
    const limits = [{ type: "Container", max: { cpu: "2000m" }, min: { memory: "1Mi" } }];
    const range = await api.post(collection(coreApi, "limitranges"), { metadata, spec: { limits } }, dryRun);
    expect(range.body.spec.limits).toEqual([
      {
        type: "Container",
        max: { cpu: "2" },
        min: { memory: "1Mi" },
        default: { cpu: "2" },
        defaultRequest: { cpu: "2", memory: "1Mi" },
      },
    ]);
  });

  it("what is left out is filled in", async () => {
    const { api } = suite();
    const metadata = { name: "filled" };
    const created = async (group: string, plural: string, object: object): Promise<Answer["body"]> => {
      const answer = await api.post(collection(group, plural), { metadata, ...object }, { query: { dryRun: "All" } });
      expectCode(answer, 201);
      return answer.body;
    };
    const driver = await created("/apis/storage.k8s.io/v1", "csidrivers", {});
    expect(driver.spec).toEqual({
      attachRequired: true,
      podInfoOnMount: false,
      volumeLifecycleModes: ["Persistent"],
      storageCapacity: false,
      fsGroupPolicy: "ReadWriteOnceWithFSType",
      requiresRepublish: false,
      seLinuxMount: false,
    });
    const template = { metadata: { labels: { app: "x" } }, spec: containersOf("i") };
    const filledTemplate = await created(coreApi, "podtemplates", { template });
    expect(filledTemplate).toMatchObject({
      metadata: { generation: 1 },
      template: { spec: { restartPolicy: "Always", containers: [{ imagePullPolicy: "Always", resources: {} }] } },
    });
    const budget = await created("/apis/policy/v1", "poddisruptionbudgets", { spec: { minAvailable: 1 } });
    expect(budget.status).toEqual({ disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 });
    const hostPath = { path: "/x" };
    const volume = { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath };
    const filledVolume = await created(coreApi, "persistentvolumes", { spec: volume });
    expect(filledVolume.spec.hostPath).toEqual({ path: "/x", type: "" });
    const limits = [{ type: "Container", defaultRequest: { cpu: "1" } }];
    const range = await created(coreApi, "limitranges", { spec: { limits } });
    expect(range.spec.limits).toEqual(limits);
    const node = await created(coreApi, "nodes", { status: { capacity: { cpu: "4" } } });
    expect(node.status).toMatchObject({ capacity: { cpu: "4" }, allocatable: { cpu: "4" } });
  });

  it("a StatefulSet's partition is filled in unless its strategy says a type and no more", async () => {
    const { api } = suite();
    const labels = { app: "x" };
    const template = { metadata: { labels }, spec: containersOf("i") };
    const kept = async (updateStrategy?: object): Promise<unknown> => {
      const spec = { serviceName: "s", selector: { matchLabels: labels }, template, updateStrategy };
      const path = collection("/apis/apps/v1", "statefulsets");
      const { body } = await api.post(path, { metadata: { name: "parted" }, spec }, { query: { dryRun: "All" } });
      return body.spec.updateStrategy;
    };
    const complete = { type: "RollingUpdate", rollingUpdate: { partition: 0 } };
    expect(await kept()).toEqual(complete);
    expect(await kept({ rollingUpdate: {} })).toEqual(complete);
    expect(await kept({ type: "RollingUpdate", rollingUpdate: {} })).toEqual(complete);
    expect(await kept({ type: "RollingUpdate" })).toEqual({ type: "RollingUpdate" });
  });

  it("null among texts is an empty one", async () => {
    const { api } = suite();
    const metadata = { name: "nulls", labels: { a: null }, annotations: { b: null } };
    const path = collection(coreApi, "configmaps");
    const object = { metadata, data: { c: null }, binaryData: { d: null } };
    const { body } = await api.post(path, object, { query: { dryRun: "All" } });
    expect(body).toMatchObject({
      metadata: { labels: { a: "" }, annotations: { b: "" } },
      data: { c: "" },
      binaryData: { d: "" },
    });
  });

  it("null among objects is an empty one, and among numbers 0", async () => {
    const { api } = suite();
    const spec = { ...containersOf("i"), imagePullSecrets: [null], securityContext: { supplementalGroups: [1, null] } };
    const body = { metadata: { name: "nulls", managedFields: [null] }, spec };
    const answer = await api.post(collection(coreApi, "pods"), body, { query: { dryRun: "All" } });
    expectCode(answer, 201);
    expect(answer.body.spec).toMatchObject({ imagePullSecrets: [{}], securityContext: { supplementalGroups: [1, 0] } });
  });

  it("what is partly given is completed", async () => {
    const { api } = suite();
    const metadata = { name: "completed" };
    const strict = { query: { dryRun: "All", fieldValidation: "Strict" } };
    const claimKind = { apiVersion: "v1", kind: "PersistentVolumeClaim" };
    const created = async (group: string, plural: string, object: object): Promise<Answer["body"]> => {
      const answer = await api.post(collection(group, plural), { metadata, ...object }, strict);
      expectCode(answer, 201);
      return answer.body;
    };
    const labels = { app: "x" };
    const template = { metadata: { labels }, spec: containersOf("i") };
    const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
    const set = await created("/apis/apps/v1", "statefulsets", {
      spec: {
        serviceName: "s",
        selector: { matchLabels: labels },
        template,
        volumeClaimTemplates: [{ ...claimKind, metadata: { name: "data" }, spec: claim, status: {} }],
      },
    });
    expect(set.spec.volumeClaimTemplates[0]).toMatchObject(claimKind);
    expect(set.spec.volumeClaimTemplates[0].status).toEqual({ phase: "Pending" });
    const volumes = [{ name: "v", ephemeral: { volumeClaimTemplate: { spec: claim } } }];
    const resources = { limits: { "example.com/a": "1" } };
    const containers = [{ name: "c", image: "i", resources }];
    const pod = await created(coreApi, "pods", { spec: { containers, volumes } });
    expect(pod.spec.volumes[0].ephemeral.volumeClaimTemplate.spec.volumeMode).toBe("Filesystem");
    expect(pod.status.qosClass).toBe("BestEffort");
    const manual = { metadata: { labels }, spec: { ...containersOf("i"), restartPolicy: "Never" } };
    const spec = { manualSelector: true, selector: { matchLabels: labels }, template: manual };
    const job = await created("/apis/batch/v1", "jobs", { spec });
    expect(job.metadata.labels).toEqual(labels);
    const podFailurePolicy = { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] }] };
    const failing = await created("/apis/batch/v1", "jobs", { spec: { ...spec, podFailurePolicy } });
    expect(failing.spec.podFailurePolicy.rules[0].onPodConditions).toEqual([
      { type: "DisruptionTarget", status: "True" },
    ]);
    const source = { persistentVolumeName: "v" };
    const attachment = await created("/apis/storage.k8s.io/v1", "volumeattachments", {
      spec: { attacher: "a", nodeName: "n", source },
    });
    expect(attachment.status).toEqual({ attached: false });
    expect(attachment.metadata.generation).toBeUndefined();
  });

  it("a Service loses what its type and its affinity do not have", async () => {
    const { api } = suite();
    const path = collection(coreApi, "services");
    const ports = [{ port: 80 }];
    expectCode(
      await api.post(path, { metadata: { name: "losing" }, spec: { ports, sessionAffinity: "ClientIP" } }),
      201,
    );
    const loose = await api.mergePatch(`${path}/losing`, { spec: { sessionAffinity: "None" } });
    expect(loose.body.spec.sessionAffinityConfig).toBeUndefined();
    const spec = { type: "ExternalName", externalName: "a.b.c", clusterIP: null, clusterIPs: null };
    const named = await api.mergePatch(`${path}/losing`, { spec });
    expectCode(named, 200);
    expect(named.body.spec).toEqual({
      type: "ExternalName",
      externalName: "a.b.c",
      ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
      sessionAffinity: "None",
    });
  });

  it("changed annotations of a Deployment count as a generation", async () => {
    const { api } = suite();
    const path = collection("/apis/apps/v1", "deployments");
    const labels = { app: "x" };
    const spec = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: containersOf("i") } };
    expectCode(
      await api.post(path, { metadata: { name: "annotated" }, spec: { ...spec, replicas: 0, paused: true } }),
      201,
    );
    const generationAfter = async (patch: object): Promise<number> =>
      (await api.mergePatch(`${path}/annotated`, patch)).body.metadata.generation;
    const first = await generationAfter({ metadata: { labels: { a: "b" } } });
    expect(await generationAfter({ metadata: { annotations: { a: "b" } } })).toBe(first + 1);
    expect(await generationAfter({ metadata: { annotations: { a: "b" } } })).toBe(first + 1);
  });

  it("an IngressClass may be replaced unseen, a RuntimeClass may not", async () => {
    const { api, namespace } = suite();
    const name = `${namespace}-class`;
    const replaced = async (path: string, object: object): Promise<Answer> => {
      const body = { metadata: { name }, ...object };
      expectCode(await api.post(path, body), 201);
      return api.put(`${path}/${name}`, body);
    };
    const classes = "/apis/networking.k8s.io/v1/ingressclasses";
    expectCode(await replaced(classes, { spec: { controller: "example.com/a" } }), 200);
    expectStatus(await replaced("/apis/node.k8s.io/v1/runtimeclasses", { handler: "a" }), 422, {
      causes: ["FieldValueInvalid metadata.resourceVersion"],
    });
  });
};
