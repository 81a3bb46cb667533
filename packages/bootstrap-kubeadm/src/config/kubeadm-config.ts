import { CapstanError, Taint } from "@capstan/contract";
import {
  cluster as clusterFields,
  conditionOf,
  machine as machineFields,
  NodeResource,
  ownerReference,
  readReference,
} from "@capstan/contract/wire";
import type { BootstrapAuthor, BootstrapContext, BootstrapOutcome } from "@capstan/kit";
import { ready, waiting } from "@capstan/kit/bootstrap";
import type { KeyAlgorithm } from "@capstan/pki";
import type { KubeObject } from "@capstan/schema";
import { KubeadmConfig } from "../api/kubeadm-config.v1beta2.ts";
import { renderBootstrapDocument } from "../render/bootstrap-document.ts";
import { certificateFiles, type ExternalEtcd } from "../render/certificate-files.ts";
import {
  clusterConfiguration,
  initConfiguration,
  joinConfiguration,
  type ClusterFacts,
  type Json,
} from "../render/kubeadm-documents.ts";
import { kubeadmApiFor } from "../render/kubeadm-version.ts";
import { createToken, refreshToken, revokeToken } from "./bootstrap-token.ts";
import {
  certificatesForControlPlaneJoin,
  certificatesForInit,
  clusterAuthority,
  type CertificateAccess,
} from "./cluster-certificates.ts";
import { discoveryFile, endpointOf, planDiscovery } from "./discovery.ts";
import { resolveFiles, resolveUsers, secretReader } from "./files.ts";
import { initLock, initLockPermissions } from "./init-lock.ts";

/** The machine that initialises the cluster may take minutes; waiting machines look again this often, as upstream. */
const waitForInitMs = 30_000;
const waitForEndpointMs = 10_000;

type Context = BootstrapContext<KubeObject>;

const object = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});

const specOf = (config: KubeObject): Json => object(config["spec"]);

const accessOf = (context: Context): CertificateAccess => ({
  client: context.client,
  cluster: context.cluster,
  clock: context.clock,
  call: context.call,
  secret: (name) => context.secret(name),
});

const isInitialized = (cluster: KubeObject): boolean =>
  conditionOf(cluster, "ControlPlaneInitialized")?.status === "True" ||
  clusterFields.controlPlaneInitialized.get(cluster) === true;

const resolved = async (context: Context, spec: Json): Promise<{ files: readonly Json[]; users: readonly Json[] }> => {
  const read = secretReader(context.client, context.object.metadata.namespace ?? "", context.call);
  return { files: await resolveFiles(spec["files"], read), users: await resolveUsers(spec["users"], read) };
};

const subnets = (cidrs: readonly string[] | undefined): string | undefined =>
  cidrs === undefined || cidrs.length === 0 ? undefined : cidrs.join(",");

const factsOf = (context: Context): ClusterFacts => {
  const { cluster, machine } = context;
  const optional = {
    controlPlaneEndpoint: endpointOf(cluster),
    dnsDomain: clusterFields.serviceDomain.get(cluster),
    serviceSubnet: subnets(clusterFields.serviceCidrs.get(cluster)),
    podSubnet: subnets(clusterFields.podCidrs.get(cluster)),
  };
  return {
    clusterName: cluster.metadata.name ?? "",
    kubernetesVersion: machineFields.version.get(machine) ?? "",
    ...(Object.fromEntries(
      Object.entries(optional).filter(([, value]) => value !== undefined),
    ) as Partial<ClusterFacts>),
  };
};

const externalEtcd = (spec: Json): ExternalEtcd | undefined =>
  object(object(spec["clusterConfiguration"])["etcd"])["external"] as ExternalEtcd | undefined;

const directory = (spec: Json): { readonly directory?: string } => {
  const set = object(spec["clusterConfiguration"])["certificatesDir"];
  return typeof set === "string" ? { directory: set } : {};
};

const init = async (context: Context): Promise<BootstrapOutcome> => {
  const api = kubeadmApiFor(machineFields.version.get(context.machine));
  let spec = specOf(context.object);
  const endpoint = endpointOf(context.cluster);
  const given = object(spec["clusterConfiguration"])["controlPlaneEndpoint"];
  if ((given === undefined || given === "") && endpoint !== undefined) {
    spec = specOf(await context.persistSpec({ clusterConfiguration: { controlPlaneEndpoint: endpoint } }));
  }
  const cluster = object(spec["clusterConfiguration"]);
  const external = externalEtcd(spec);
  const certificates = await certificatesForInit(accessOf(context), {
    externalEtcd: external !== undefined,
    ...(readReference(context.cluster, clusterFields.controlPlaneRefPath) === undefined
      ? {
          generate: {
            owner: ownerReference(KubeadmConfig, context.object, { controller: true, blockOwnerDeletion: true }),
            ...(typeof cluster["caCertificateValidityPeriodDays"] === "number"
              ? { caValidityDays: cluster["caCertificateValidityPeriodDays"] }
              : {}),
            ...(typeof cluster["encryptionAlgorithm"] === "string"
              ? { algorithm: cluster["encryptionAlgorithm"] as KeyAlgorithm }
              : {}),
          },
        }
      : {}),
  });
  context.condition({ type: "CertificatesAvailable", status: "True", reason: "Available" });
  const timeout = object(object(spec["initConfiguration"])["timeouts"])["controlPlaneComponentHealthCheckSeconds"];
  const value = renderBootstrapDocument({
    spec,
    ...(await resolved(context, spec)),
    certificateFiles: certificateFiles(certificates, {
      ...directory(spec),
      ...(external === undefined ? {} : { externalEtcd: external }),
    }),
    kubeadm: {
      command: "init",
      clusterConfiguration: clusterConfiguration(cluster, factsOf(context), {
        api,
        ...(typeof timeout === "number" ? { controlPlaneTimeoutSeconds: timeout } : {}),
      }),
      initConfiguration: initConfiguration(object(spec["initConfiguration"]), api),
    },
  });
  return ready({ value, format: "cloud-config" });
};

const workerJoinConfiguration = (configuration: Json): Json => {
  const registration = object(configuration["nodeRegistration"]);
  const taints = (registration["taints"] ?? []) as readonly Json[];
  const present = taints.some(
    ({ key, effect }) => key === Taint.uninitialized.key && effect === Taint.uninitialized.effect,
  );
  return present
    ? configuration
    : { ...configuration, nodeRegistration: { ...registration, taints: [...taints, Taint.uninitialized] } };
};

const join = async (context: Context, ttlMs: number): Promise<BootstrapOutcome> => {
  const api = kubeadmApiFor(machineFields.version.get(context.machine));
  let spec = specOf(context.object);
  if (!context.controlPlane && object(spec["joinConfiguration"])["controlPlane"] !== undefined) {
    throw workerWithControlPlane(context);
  }
  const external = externalEtcd(spec);
  const certificates = context.controlPlane
    ? await certificatesForControlPlaneJoin(accessOf(context), { externalEtcd: external !== undefined })
    : { ca: await clusterAuthority(accessOf(context)) };
  context.condition({ type: "CertificatesAvailable", status: "True", reason: "Available" });
  const plan = planDiscovery(object(spec["joinConfiguration"]), {
    cluster: context.cluster,
    authority: certificates.ca?.certificate ?? "",
    random: context.random,
  });
  if (plan.state === "no-endpoint") {
    const message = "waiting for Cluster.spec.controlPlaneEndpoint to be set";
    return waiting({ reason: "NotAvailable", message, requeueAfterMs: waitForEndpointMs });
  }
  const controlPlane =
    context.controlPlane && object(spec["joinConfiguration"])["controlPlane"] === undefined ? { controlPlane: {} } : {};
  if (plan.patch !== undefined || Object.keys(controlPlane).length > 0) {
    spec = specOf(await context.persistSpec({ joinConfiguration: { ...plan.patch, ...controlPlane } }));
  }
  // The token is in the stored spec before it exists anywhere else: a crash in between leaves nothing behind.
  if (plan.token !== undefined) {
    const description = `token for Machine ${context.machine.metadata.namespace ?? ""}/${context.machine.metadata.name ?? ""}`;
    await createToken(plan.token, { ...context, client: await context.workload(), ttlMs, description });
  }
  const configuration = object(spec["joinConfiguration"]);
  const file = discoveryFile(configuration);
  const value = renderBootstrapDocument({
    spec,
    ...(await resolved(context, spec)),
    ...(context.controlPlane
      ? {
          certificateFiles: certificateFiles(certificates, {
            ...directory(spec),
            ...(external === undefined ? {} : { externalEtcd: external }),
          }),
        }
      : {}),
    ...(file === undefined ? {} : { discoveryFile: file }),
    kubeadm: {
      command: "join",
      joinConfiguration: joinConfiguration(
        context.controlPlane ? configuration : workerJoinConfiguration(configuration),
        api,
      ),
      controlPlane: context.controlPlane,
    },
  });
  return ready({ value, format: "cloud-config", requeueAfterMs: ttlMs / 3 });
};

const workerWithControlPlane = (context: Context): CapstanError =>
  new CapstanError({
    code: "kubeadm.worker_control_plane",
    reason: "JoinConfigurationInvalid",
    message: `KubeadmConfig ${context.object.metadata.namespace ?? ""}/${context.object.metadata.name ?? ""}: spec.joinConfiguration.controlPlane is set for a worker Machine; remove it`,
    retry: { kind: "never" },
  });

const generate = async (context: Context, ttlMs: number): Promise<BootstrapOutcome> => {
  const format = specOf(context.object)["format"];
  if (format !== undefined && format !== "cloud-config") throw formatUnsupported(context, String(format));
  const lock = initLock(context.client, context.cluster, context.call);
  if (isInitialized(context.cluster)) {
    if (context.controlPlane) await lock.release();
    return join(context, ttlMs);
  }
  const wait = waiting({
    reason: "NotAvailable",
    message: "waiting for the control plane to be initialized",
    requeueAfterMs: waitForInitMs,
  });
  if (!context.controlPlane || !(await lock.acquire(context.machine.metadata.name ?? ""))) return wait;
  try {
    return await init(context);
  } catch (error) {
    await lock.release();
    throw error;
  }
};

const formatUnsupported = (context: Context, format: string): CapstanError =>
  new CapstanError({
    code: "kubeadm.format_unsupported",
    reason: "FormatUnsupported",
    message: `KubeadmConfig ${context.object.metadata.namespace ?? ""}/${context.object.metadata.name ?? ""}: spec.format ${format} is not supported; use cloud-config`,
    retry: { kind: "never" },
  });

const tokenOf = (config: KubeObject): string | undefined => {
  const discovery = object(object(specOf(config)["joinConfiguration"])["discovery"]);
  const token = object(discovery["bootstrapToken"])["token"];
  return typeof token === "string" && token !== "" ? token : undefined;
};

/** Whether the machine has its Node, told by the workload cluster itself: a Machine that was moved here does not say it at first. */
const hasJoined = async (context: Context): Promise<boolean> => {
  const providerID = machineFields.providerID.get(context.machine);
  if (providerID === undefined) return false;
  const { items } = await (await context.workload()).list(NodeResource, context.call);
  return items.some((node) => object(node["spec"])["providerID"] === providerID);
};

/** The verbs of the KubeadmConfig controller. `tokenTtlMs` is the life of a bootstrap token. */
export const kubeadmConfigAuthor = (options: {
  readonly tokenTtlMs: number;
  readonly concurrency: number;
}): BootstrapAuthor<KubeObject> => ({
  kind: KubeadmConfig,
  concurrency: options.concurrency,
  readyInputs: ["CertificatesAvailable"],
  permissions: initLockPermissions,
  generate: (context) => generate(context, options.tokenTtlMs),
  refresh: async (context) => {
    const token = tokenOf(context.object);
    if (token === undefined) return {};
    const state = await refreshToken(token, {
      ...context,
      client: await context.workload(),
      ttlMs: options.tokenTtlMs,
    });
    if (state === "lost" && !(await hasJoined(context))) {
      throw new CapstanError({
        code: "kubeadm.token_lost",
        reason: "BootstrapTokenLost",
        message:
          "the bootstrap token's Secret is gone from the workload cluster before the node joined; delete the Machine to get a new one",
      });
    }
    return { requeueAfterMs: options.tokenTtlMs / 3 };
  },
  joined: async (context) => {
    if (context.controlPlane) await initLock(context.client, context.cluster, context.call).release();
    const token = tokenOf(context.object);
    if (token !== undefined) await revokeToken(token, { ...context, client: await context.workload() });
  },
});
