import { KubeadmConfigReason } from "../api/kubeadm-conditions.ts";
import { SecretPurpose, Taint } from "@capstan/contract";
import { bootstrapFormats, describeObject, machine as machineFields } from "@capstan/contract/wire";
import {
  certificateFiles,
  clusterAuthority,
  ready,
  requireCertificates,
  waiting,
  withCertificates,
  type BootstrapOutcome,
  type FileEntry,
} from "@capstan/kit/bootstrap";
import type { JoinConfiguration, KubeadmConfigSpec } from "../api/kubeadm-config.v1beta2.ts";
import { renderBootstrapDocument } from "../render/bootstrap-document.ts";
import { kubeadmCertificates } from "../render/kubeadm-certificates.ts";
import { joinConfiguration } from "../render/kubeadm-documents.ts";
import { kubeadmApiFor } from "../render/kubeadm-version.ts";
import { createToken } from "./bootstrap-token.ts";
import { resolvedContents, unusable } from "./contents.ts";
import { discoveryFile, planDiscovery } from "./discovery.ts";
import type { Context } from "./uses.ts";

const waitForEndpointMs = 10_000;

interface Certificates {
  /** PEM of the cluster's authority. */
  readonly authority: string;
  readonly files: readonly FileEntry[];
}

/** Machines of the control plane get all certificates; workers only pin the authority. */
const certificatesOf = async (context: Context, spec: KubeadmConfigSpec): Promise<Certificates> => {
  const wanted = kubeadmCertificates(spec.clusterConfiguration);
  if (!context.controlPlane) {
    const authority = wanted.find(({ purpose }) => purpose === SecretPurpose.ca);
    return { authority: (await clusterAuthority(context, authority)).certificate, files: [] };
  }
  const pairs = await requireCertificates(context, wanted);
  return { authority: pairs.get(SecretPurpose.ca)?.certificate ?? "", files: certificateFiles(wanted, pairs) };
};

/** The Machine controller waits for a worker's Node to carry this taint, and takes it away once the Node has its labels. */
const withWorkerTaint = (configuration: JoinConfiguration): JoinConfiguration => {
  const { nodeRegistration = {} } = configuration;
  const { taints = [] } = nodeRegistration;
  const { effect, key } = Taint.uninitialized;
  if (taints.some((taint) => taint.key === key && taint.effect === effect)) return configuration;
  return { ...configuration, nodeRegistration: { ...nodeRegistration, taints: [...taints, Taint.uninitialized] } };
};

/** The document of a machine that joins an initialized cluster, and the token it joins with. */
export const join = async (context: Context, ttlMs: number): Promise<BootstrapOutcome> => {
  const { controlPlane, machine, object } = context;
  const api = kubeadmApiFor(machineFields.version.get(machine));
  const { joinConfiguration: before = {} } = object.spec ?? {};
  const { authority, files: certificates } = await withCertificates(context, "join", () =>
    certificatesOf(context, object.spec ?? {}),
  );
  if (!controlPlane && before.controlPlane !== undefined) throw workerWithControlPlane(context);
  const plan = planDiscovery(before, { cluster: context.cluster, authority, random: context.random });
  if (plan.state === "no-endpoint") {
    const message = "waiting for Cluster.spec.controlPlaneEndpoint to be set";
    return waiting({
      reason: KubeadmConfigReason.dataSecretAvailable.notAvailable,
      message,
      requeueAfterMs: waitForEndpointMs,
    });
  }
  const patch = { ...plan.patch, ...(controlPlane && before.controlPlane === undefined && { controlPlane: {} }) };
  const { spec = {} } =
    Object.keys(patch).length === 0 ? object : await context.persistSpec({ joinConfiguration: patch });
  // The token is in the stored spec before it exists anywhere else: a crash in between leaves nothing behind.
  if (plan.token !== undefined) {
    const description = `token for ${describeObject(machine)}`;
    await createToken(plan.token, { ...context, client: await context.workload(), ttlMs, description });
  }
  const { joinConfiguration: configuration = {} } = spec;
  const value = renderBootstrapDocument({
    spec,
    ...(await resolvedContents(context, spec)),
    certificateFiles: certificates,
    discoveryFile: discoveryFile(configuration),
    kubeadm: {
      command: "join",
      joinConfiguration: joinConfiguration(controlPlane ? configuration : withWorkerTaint(configuration), api),
      controlPlane,
    },
  });
  return ready({ value, format: spec.format ?? bootstrapFormats.cloudConfig, requeueAfterMs: ttlMs / 3 });
};

const workerWithControlPlane = (context: Context) =>
  unusable(context, {
    code: "kubeadm.worker_control_plane",
    reason: "JoinConfigurationInvalid",
    message: "spec.joinConfiguration.controlPlane is set for a worker Machine; remove it",
  });
