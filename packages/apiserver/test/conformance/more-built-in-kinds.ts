import { expect, it } from "vitest";
import { eventually, expectCode, expectStatus } from "./expectations.ts";
import { configMap, configMaps, coreApi, deployment, deployments, table } from "./objects.ts";
import type { Section } from "./suite.ts";

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/** Built-in kinds beyond the first ones, and what `kubectl apply` leaves behind. */
export const moreBuiltInKinds: Section = (suite) => {
  const pods = (): string => `${coreApi}/namespaces/${suite().namespace}/pods`;
  const pod = (name: string, spec: object = {}) => ({
    metadata: { name },
    spec: { containers: [{ name: "c", image: "i" }], ...spec },
  });

  it("L40 gives Pods an account, a priority and patience with lost nodes", async () => {
    const { api } = suite();
    const { body } = await api.post(pods(), pod("plain"));
    expect(body.spec).toMatchObject({
      serviceAccountName: "default",
      priority: 0,
      preemptionPolicy: "PreemptLowerPriority",
    });
    expect(body.spec.tolerations).toEqual(
      ["not-ready", "unreachable"].map((state) => ({
        key: `node.kubernetes.io/${state}`,
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: 300,
      })),
    );
    const own = [{ key: "node.kubernetes.io/not-ready", operator: "Exists" }];
    const tolerant = await api.post(pods(), pod("tolerant", { tolerations: own }));
    expect(tolerant.body.spec.tolerations.map(({ key }: { key: string }) => key)).toEqual([
      "node.kubernetes.io/not-ready",
      "node.kubernetes.io/unreachable",
    ]);
    const critical = await api.post(pods(), pod("critical", { priorityClassName: "system-cluster-critical" }));
    expect(critical.body.spec.priority).toBe(2_000_000_000);
    expectStatus(await api.post(pods(), pod("lost", { priorityClassName: "nope" })), 403, { message: "nope" });
    expectStatus(await api.post(pods(), pod("own", { priority: 7 })), 403, { message: "priority" });
  });

  it("L41 selects the Pods of a Job by its uid", async () => {
    const { api, namespace } = suite();
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
    const { body } = await api.post(`/apis/batch/v1/namespaces/${namespace}/jobs`, {
      metadata: { name: "j" },
      spec: { template, suspend: true },
    });
    const { uid } = body.metadata;
    expect(body.spec.selector).toEqual({ matchLabels: { "batch.kubernetes.io/controller-uid": uid } });
    expect(body.spec.template.metadata.labels).toMatchObject({
      "batch.kubernetes.io/job-name": "j",
      "job-name": "j",
      "controller-uid": uid,
    });
    expect(body.spec).toMatchObject({
      completions: 1,
      parallelism: 1,
      backoffLimit: 6,
      manualSelector: false,
      podReplacementPolicy: "TerminatingOrFailed",
    });
  });

  it("a Job that counts failures of each index has no limit of its own", async () => {
    const { api, namespace } = suite();
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
    const spec = { template, completionMode: "Indexed", completions: 2, backoffLimitPerIndex: 1 };
    const path = `/apis/batch/v1/namespaces/${namespace}/jobs`;
    const { body } = await api.post(path, { metadata: { name: "indexes" }, spec }, { query: { dryRun: "All" } });
    expect(body.spec.backoffLimit).toBe(2_147_483_647);
  });

  it("L42 serves autoscalers in both versions", async () => {
    const { api, namespace } = suite();
    const path = (version: string, name = "") =>
      `/apis/autoscaling/${version}/namespaces/${namespace}/horizontalpodautoscalers${name === "" ? "" : `/${name}`}`;
    const scaleTargetRef = { apiVersion: "apps/v1", kind: "Deployment", name: "d" };
    const old = await api.post(path("v1"), {
      metadata: { name: "a" },
      spec: { scaleTargetRef, maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
    });
    expectCode(old, 201);
    const seen = (await api.get(path("v2", "a"))).body;
    const cpu = { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } };
    expect(seen.spec).toEqual({
      scaleTargetRef,
      minReplicas: 1,
      maxReplicas: 3,
      metrics: [{ type: "Resource", resource: cpu }],
    });
    const memory = {
      type: "Resource",
      resource: { name: "memory", target: { type: "AverageValue", averageValue: "1Gi" } },
    };
    expectCode(await api.mergePatch(path("v2", "a"), { spec: { metrics: [...seen.spec.metrics, memory] } }), 200);
    const back = (await api.get(path("v1", "a"))).body;
    expect(back.spec.targetCPUUtilizationPercentage).toBe(50);
    expect(back.spec).not.toHaveProperty("metrics");
    expectCode(await api.mergePatch(path("v1", "a"), { spec: { maxReplicas: 5 } }), 200);
    const after = (await api.get(path("v2", "a"))).body;
    expect(after.spec.maxReplicas).toBe(5);
    const metrics = after.spec.metrics as readonly { resource: { name: string } }[];
    expect(metrics.map(({ resource }) => resource.name).toSorted()).toEqual(["cpu", "memory"]);
    const bare = await api.post(path("v2"), { metadata: { name: "b" }, spec: { scaleTargetRef, maxReplicas: 3 } });
    expect(bare.body.spec.metrics).toMatchObject([{ resource: { target: { averageUtilization: 80 } } }]);
    // Written by hand: an amount without quotes that a number does not hold.
    const huge = `{"metadata":{"name":"c"},"spec":{"scaleTargetRef":${JSON.stringify(scaleTargetRef)},"maxReplicas":3,"metrics":[
      {"type":"Resource","resource":{"name":"memory","target":{"type":"AverageValue","averageValue":10000000000000000}}}]}}`;
    expectCode(await api.post(path("v2"), huge, { type: "application/json" }), 201);
    expectCode(await api.get(path("v1", "c")), 200);
    expectCode(await api.get(path("v1")), 200);
    expectCode(await api.mergePatch(path("v1", "c"), { spec: { maxReplicas: 5 } }), 200);
    const [metric] = (await api.get(path("v2", "c"))).body.spec.metrics;
    expect(["10P", 10_000_000_000_000_000]).toContain(metric.resource.target.averageValue);
    const groups = (await api.get("/apis/autoscaling")).body;
    expect(groups.preferredVersion.version).toBe("v2");
  });

  it.each([
    ["/apis/batch/v1", "jobs", "Name,Status,Completions,Duration,Age,Containers,Images,Selector"],
    [
      "/apis/batch/v1",
      "cronjobs",
      "Name,Schedule,Timezone,Suspend,Active,Last Schedule,Age,Containers,Images,Selector",
    ],
    ["/apis/autoscaling/v2", "horizontalpodautoscalers", "Name,Reference,Targets,MinPods,MaxPods,Replicas,Age"],
    ["/apis/networking.k8s.io/v1", "ingresses", "Name,Class,Hosts,Address,Ports,Age"],
    ["/apis/networking.k8s.io/v1", "networkpolicies", "Name,Pod-Selector,Age"],
    ["/api/v1", "resourcequotas", "Name,Request,Limit,Age"],
    [
      "/api/v1",
      "persistentvolumeclaims",
      "Name,Status,Volume,Capacity,Access Modes,StorageClass,VolumeAttributesClass,Age,VolumeMode",
    ],
    ["/apis/apps/v1", "controllerrevisions", "Name,Controller,Revision,Age"],
  ])("L43 prints the columns of %s %s", async (root, plural, columns) => {
    const { api, namespace } = suite();
    const { body } = await api.get(`${root}/namespaces/${namespace}/${plural}`, { accept: table });
    expect(body.columnDefinitions.map(({ name }: { name: string }) => name).join()).toBe(columns);
  });

  it("L44 lets kubectl go over from client-side to server-side apply", async () => {
    const { api, namespace } = suite();
    const path = `${deployments(namespace)}/over`;
    const applied = { ...deployment("over", { replicas: 2 }), metadata: { name: "over", namespace } };
    const annotations = { [lastApplied]: JSON.stringify(applied) };
    const query = { fieldManager: "kubectl-client-side-apply" };
    expectCode(
      await api.post(deployments(namespace), { ...applied, metadata: { ...applied.metadata, annotations } }, { query }),
      201,
    );
    const next = { ...applied, spec: { ...applied.spec, replicas: 4 } };
    expectStatus(await api.apply(path, "other", next), 409, { someCauses: ["FieldManagerConflict .spec.replicas"] });
    const taken = await api.apply(path, "kubectl", next);
    expectCode(taken, 200);
    expect(taken.body.spec.replicas).toBe(4);
    expect(JSON.parse(taken.body.metadata.annotations[lastApplied])).toEqual(next);
    expectCode(await api.mergePatch(path, { spec: { replicas: 9 } }, { query: { fieldManager: "scaler" } }), 200);
    expectStatus(await api.apply(path, "kubectl", { ...next, spec: { ...next.spec, replicas: 5 } }), 409, {
      someCauses: ["FieldManagerConflict .spec.replicas"],
    });
  });

  it("L45 remembers nothing for objects that were never applied by a client", async () => {
    const { api, namespace } = suite();
    const path = `${configMaps(namespace)}/fresh`;
    expectCode(await api.apply(path, "kubectl", configMap("fresh", { a: "1" })), 201);
    const again = await api.apply(path, "kubectl", configMap("fresh", { a: "2" }));
    expect(again.body.metadata).not.toHaveProperty("annotations");
  });

  it("L46 lists its own APIServices, all local", async () => {
    const { body } = await suite().api.get("/apis/apiregistration.k8s.io/v1/apiservices");
    const names = body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name) as readonly string[];
    expect(names).toEqual(expect.arrayContaining(["v1.", "v1.apps", "v2.autoscaling", "v1.conf.capstan.test"]));
    expect(names).toEqual([...names].sort());
    expect(names).not.toContain("v1.apiregistration.k8s.io");
    const own = body.items.find(
      ({ metadata }: { metadata: { name: string } }) => metadata.name === "v1.conf.capstan.test",
    );
    expect(own.spec).toMatchObject({ group: "conf.capstan.test", version: "v1" });
    expect(own.status.conditions).toMatchObject([{ type: "Available", status: "True", reason: "Local" }]);
  });

  it("L47 keeps APIServices of others, and says that nobody answers for them", async () => {
    const { api } = suite();
    const path = "/apis/apiregistration.k8s.io/v1/apiservices";
    const name = "v1beta1.metrics.conf.test";
    const service = { name: "metrics", namespace: "nowhere" };
    const spec = { group: "metrics.conf.test", version: "v1beta1", groupPriorityMinimum: 100, versionPriority: 100 };
    const body = { metadata: { name }, spec: { ...spec, service, insecureSkipTLSVerify: true } };
    const created = await api.post(path, { ...body, status: { conditions: [{ type: "X", status: "True" }] } });
    expectCode(created, 201);
    expect(created.body).toMatchObject({ spec: { service: { ...service, port: 443 } }, status: {} });
    await eventually(async () => {
      const { body: found } = await api.get(`${path}/${name}`);
      expect(found.status.conditions).toMatchObject([
        {
          type: "Available",
          status: "False",
          reason: "ServiceNotFound",
          message: 'service/metrics in "nowhere" is not present',
        },
      ]);
    });
    await eventually(async () => expectCode(await api.get("/apis/metrics.conf.test/v1beta1/nodes"), 503));
    expectCode(await api.get("/apis/metrics.conf.test/v1beta1"), 503);
    expectCode(await api.get("/apis/metrics.conf.test/v1/nodes"), 404);
    const local = await api.mergePatch(`${path}/${name}`, { spec: { service: null, insecureSkipTLSVerify: null } });
    expectCode(local, 200);
    await eventually(async () => {
      const { body: found } = await api.get(`${path}/${name}`);
      expect(found.status.conditions).toMatchObject([{ type: "Available", status: "True", reason: "Local" }]);
    });
    expectCode(await api.delete(`${path}/${name}`), 200);
    await eventually(async () => expectCode(await api.get(`${path}/${name}`), 404));
  });

  it("L48 keeps an APIService for every version of a definition, as long as there is one", async () => {
    const { api } = suite();
    const names = { plural: "passers", singular: "passer", kind: "Passer", listKind: "PasserList" };
    const schema = { openAPIV3Schema: { type: "object" } };
    const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const name = "v1.passing.conf.test";
    const path = `/apis/apiregistration.k8s.io/v1/apiservices/${name}`;
    const versions = [{ name: "v1", served: true, storage: true, schema }];
    expectCode(
      await api.post(crds, {
        metadata: { name: "passers.passing.conf.test" },
        spec: { group: "passing.conf.test", scope: "Cluster", names, versions },
      }),
      201,
    );
    await eventually(async () => {
      const { body } = await api.get(path);
      expect(body).toMatchObject({
        metadata: { labels: { "kube-aggregator.kubernetes.io/automanaged": "true" } },
        spec: { group: "passing.conf.test", version: "v1" },
        status: { conditions: [{ type: "Available", status: "True" }] },
      });
    });
    expectCode(await api.delete(`${crds}/passers.passing.conf.test`), 200);
    await eventually(async () => expectCode(await api.get(path), 404));
  });
};
