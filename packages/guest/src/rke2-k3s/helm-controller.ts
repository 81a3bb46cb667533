import { conditionOf, CustomResourceDefinitionResource } from "@capstan/contract/wire";
import type { ControllerV1 } from "@capstan/contract/v1";
import { type Client, ownerReferenceTo } from "@capstan/kube";
import { keyOf } from "@capstan/kube-values";
import { controller, watch, watchOwned, type ReconcileContext } from "@capstan/runtime";
import type { KubeObject } from "@capstan/schema";
import { writeStatus } from "../controllers/owned-pods.ts";
import { publishedChart } from "../internet/published-charts.ts";
import { Job } from "../kinds/workload-kinds.ts";
import { apply, type Cluster, kindFinder } from "../kubectl/apply.ts";
import type { MachineContext } from "../node/machine-context.ts";
import type { WorkloadCluster } from "../workload/workload-cluster.ts";
import { createOnce } from "../workload/create-once.ts";
import { objectsIn } from "./deploy-manifests.ts";
import { chartStatus, HelmChart, type HelmChartObject, helmDefinitions, installJob, installs } from "./helm-chart.ts";

const finalizer = "wrangler.cattle.io/on-helm-chart-remove";

const setFinalizers = async (
  chart: HelmChartObject,
  finalizers: readonly string[],
  { client, signal }: ReconcileContext,
): Promise<void> => {
  const { resourceVersion } = chart.metadata;
  const body = { metadata: { resourceVersion, finalizers } };
  await client.patch(HelmChart, keyOf(chart), { type: "merge", body }, { signal });
};

const clusterOf = ({ client, signal }: ReconcileContext, namespace: string): Cluster => ({
  client,
  signal,
  namespace,
  resourceOf: kindFinder(client, signal),
});

/** Returns the objects of a chart; `undefined` if its repository has no chart of that name. */
const contentsOf = ({ metadata, spec }: HelmChartObject): readonly KubeObject[] | undefined => {
  const { chart = "", repo = "", targetNamespace = metadata.namespace, version } = spec;
  const text = publishedChart({ chart, repo, ...(version !== undefined && { version }) });
  return text === undefined
    ? undefined
    : objectsIn(text.replaceAll("namespace: kube-system", `namespace: ${targetNamespace}`));
};

const missing = ({ spec: { chart, repo } }: HelmChartObject): string =>
  `INSTALLATION FAILED: chart ${JSON.stringify(chart)} is not in ${repo}, as far as simulated machines know it`;

/** Deletes what the chart consists of. */
const uninstall = async (contents: readonly KubeObject[], cluster: Cluster): Promise<void> => {
  const { client, namespace, resourceOf, signal } = cluster;
  for (const object of contents.toReversed()) {
    const resource = await resourceOf(object);
    const { name = "" } = object.metadata;
    const key = resource.namespaced ? { namespace: object.metadata.namespace ?? namespace, name } : { name };
    await client.delete(resource, key, { signal });
  }
};

/** Returns the Job that installs a chart as it is now, once there is no other. */
const ensureJob = async (chart: HelmChartObject, context: ReconcileContext): Promise<KubeObject | undefined> => {
  const { cache, client, signal } = context;
  const wanted = installJob(chart);
  const job = cache.get(Job, keyOf(wanted));
  if (job === undefined) {
    const owner = ownerReferenceTo(chart, { controller: true, blockOwnerDeletion: true });
    const metadata = { ...wanted.metadata, ownerReferences: [owner] };
    return client.create(Job, { ...wanted, metadata }, { signal });
  }
  if (installs(job, chart)) return job;
  const preconditions = { uid: job.metadata.uid ?? "" };
  await client.delete(Job, keyOf(job), { preconditions, propagationPolicy: "Background", signal });
  return undefined;
};

/**
 * The Helm controller in k3s and RKE2: installs each HelmChart by a Job, before there is a network if the chart says `bootstrap`. Values are
 * not read; only the charts of common network plugins are known.
 */
const helmCharts = (): ControllerV1 =>
  controller({
    name: "helm-chart",
    sources: [watch(HelmChart), watchOwned(Job, HelmChart)],
    reconcile: async (request, context): Promise<void> => {
      const chart = context.cache.get(HelmChart, request);
      if (chart === undefined) return;
      const { deletionTimestamp, finalizers = [], namespace = "" } = chart.metadata;
      const contents = contentsOf(chart);
      const cluster = clusterOf(context, chart.spec.targetNamespace ?? namespace);
      if (deletionTimestamp !== undefined) {
        if (!finalizers.includes(finalizer)) return;
        await uninstall(contents ?? [], cluster);
        await setFinalizers(
          chart,
          finalizers.filter((each) => each !== finalizer),
          context,
        );
        return;
      }
      if (!finalizers.includes(finalizer)) {
        await setFinalizers(chart, [...finalizers, finalizer], context);
        return;
      }
      const job = contents && (await ensureJob(chart, context));
      const failure = contents === undefined ? missing(chart) : undefined;
      await writeStatus(HelmChart, chart, chartStatus(chart, { failure, now: context.clock.now() }), context);
      if (job === undefined || conditionOf(job, "Complete")?.status !== "True") return;
      for (const object of contents ?? []) await apply(object, cluster);
    },
  });

const untilServed = async (client: Client, { clock, signal }: MachineContext): Promise<void> => {
  for (const { metadata } of helmDefinitions) {
    const name = metadata.name ?? "";
    while (
      conditionOf(await client.get(CustomResourceDefinitionResource, { name }, { signal }), "Established")?.status !==
      "True"
    ) {
      await clock.sleep(100, { signal });
    }
  }
};

/** Serves the kinds of Helm charts in a cluster, and runs their controller there, once, whichever server is first. */
export const startHelmController = async (machine: MachineContext, cluster: WorkloadCluster): Promise<void> => {
  const { admin } = cluster;
  for (const each of helmDefinitions) await createOnce(admin, CustomResourceDefinitionResource, each, machine.signal);
  await untilServed(admin, machine);
  await cluster.bring("helm-controller", [helmCharts()]);
};
