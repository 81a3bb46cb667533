import {
  bootstrapFormats,
  cluster as clusterFields,
  machine as machineFields,
  ownerReference,
  readReference,
} from "@capstan/contract/wire";
import {
  certificateFiles,
  ensureCertificates,
  findCertificates,
  ready,
  withCertificates,
  type BootstrapOutcome,
  type PemPairs,
} from "@capstan/kit/bootstrap";
import { KubeadmConfig, type KubeadmConfigSpec } from "../api/kubeadm-config.v1beta2.ts";
import { renderBootstrapDocument } from "../render/bootstrap-document.ts";
import { kubeadmCertificates } from "../render/kubeadm-certificates.ts";
import { clusterConfiguration, initConfiguration, type ClusterFacts } from "../render/kubeadm-documents.ts";
import { kubeadmApiFor } from "../render/kubeadm-version.ts";
import { resolvedContents } from "./contents.ts";
import { endpointOf } from "./discovery.ts";
import type { Context } from "./uses.ts";

const subnets = (cidrs: readonly string[] = []): string | undefined =>
  cidrs.length === 0 ? undefined : cidrs.join(",");

const factsOf = ({ cluster, machine }: Context): ClusterFacts => ({
  clusterName: cluster.metadata.name ?? "",
  kubernetesVersion: machineFields.version.get(machine) ?? "",
  controlPlaneEndpoint: endpointOf(cluster),
  dnsDomain: clusterFields.serviceDomain.get(cluster),
  serviceSubnet: subnets(clusterFields.serviceCidrs.get(cluster)),
  podSubnet: subnets(clusterFields.podCidrs.get(cluster)),
});

/** The Cluster's endpoint becomes part of the stored spec, as upstream has it. */
const withEndpoint = async (context: Context): Promise<KubeadmConfigSpec> => {
  const { cluster, object } = context;
  const controlPlaneEndpoint = endpointOf(cluster);
  const known = object.spec?.clusterConfiguration?.controlPlaneEndpoint !== undefined;
  if (known || controlPlaneEndpoint === undefined) return object.spec ?? {};
  return (await context.persistSpec({ clusterConfiguration: { controlPlaneEndpoint } })).spec ?? {};
};

/** With an object for the control plane, the certificates are its to make; what is missing is left to kubeadm. */
const certificatesOf = (context: Context, spec: KubeadmConfigSpec): Promise<PemPairs> => {
  const certificates = kubeadmCertificates(spec.clusterConfiguration);
  if (readReference(context.cluster, clusterFields.controlPlaneRefPath) !== undefined) {
    return findCertificates(context, certificates);
  }
  const { caCertificateValidityPeriodDays: validityDays, encryptionAlgorithm: algorithm } =
    spec.clusterConfiguration ?? {};
  return ensureCertificates(context, certificates, {
    owner: ownerReference(KubeadmConfig, context.object, { controller: true, blockOwnerDeletion: true }),
    validityDays,
    algorithm,
  });
};

/** The document of the machine that begins the control plane. */
export const init = async (context: Context): Promise<BootstrapOutcome> => {
  const api = kubeadmApiFor(machineFields.version.get(context.machine));
  const spec = await withEndpoint(context);
  const certificates = await withCertificates(context, "init", () => certificatesOf(context, spec));
  const { clusterConfiguration: cluster = {}, initConfiguration: configuration = {} } = spec;
  const value = renderBootstrapDocument({
    spec,
    ...(await resolvedContents(context, spec)),
    certificateFiles: certificateFiles(kubeadmCertificates(cluster), certificates),
    kubeadm: {
      command: "init",
      clusterConfiguration: clusterConfiguration(cluster, factsOf(context), {
        api,
        controlPlaneTimeoutSeconds: configuration.timeouts?.controlPlaneComponentHealthCheckSeconds,
      }),
      initConfiguration: initConfiguration(configuration, api),
    },
  });
  return ready({ value, format: spec.format ?? bootstrapFormats.cloudConfig });
};
