import { Group, SecretPurpose } from "@capstan/contract";
import { ClusterResource, ownerReference } from "@capstan/contract/wire";
import {
  type BootstrapContext,
  type ClusterCertificate,
  ensureCertificates,
  type GenerateOptions,
  type PemPairs,
} from "@capstan/kit/bootstrap";
import type { KubeObject } from "@capstan/schema";
import { keyAlgorithmAnnotation } from "../api/conditions.ts";
import { annotationInvalid } from "./annotation-map.ts";

/** On control planes of upstream's first release: they made two authorities, and the distribution the others. */
const legacyAnnotation = `${Group.controlPlane}/legacy`;

const legacyPurposes: readonly string[] = [SecretPurpose.ca, SecretPurpose.clientCA];

const algorithms = ["ECDSA-P256", "ECDSA-P384", "RSA-2048", "RSA-3072", "RSA-4096"] as const;

/** The algorithm that the Cluster wants its authorities to have. Throws `distribution.annotation_invalid`. */
export const keyAlgorithm = (cluster: KubeObject): GenerateOptions["algorithm"] => {
  const text = cluster.metadata.annotations?.[keyAlgorithmAnnotation];
  const algorithm = algorithms.find((name) => name === text);
  if (text === undefined || algorithm !== undefined) return algorithm;
  const problem = `is ${JSON.stringify(text)}; use one of ${algorithms.join(", ")}`;
  throw annotationInvalid(cluster, keyAlgorithmAnnotation, problem);
};

/** The authorities that the cluster of a control plane has: of upstream's first release two, otherwise all. */
export const authoritiesOf = (
  authorities: readonly ClusterCertificate[],
  controlPlane: KubeObject | undefined,
): readonly ClusterCertificate[] =>
  controlPlane?.metadata.annotations?.[legacyAnnotation] === undefined
    ? authorities
    : authorities.filter(({ purpose }) => legacyPurposes.includes(purpose));

/**
 * The authorities of a new cluster: those that are there, whoever made them, and new ones for the rest. That of the servers is made last:
 * when it is there, all are.
 */
export const ensureAuthorities = async (
  context: BootstrapContext<KubeObject>,
  authorities: readonly ClusterCertificate[],
  controlPlane: KubeObject | undefined,
): Promise<PemPairs> => {
  const wanted = authoritiesOf(authorities, controlPlane);
  const options = {
    owner: ownerReference(ClusterResource, context.cluster, { controller: true }),
    algorithm: keyAlgorithm(context.cluster),
  };
  const isLast = ({ purpose }: ClusterCertificate): boolean => purpose === SecretPurpose.ca;
  const first = await ensureCertificates(
    context,
    wanted.filter((one) => !isLast(one)),
    options,
  );
  const last = await ensureCertificates(context, wanted.filter(isLast), options);
  return new Map([...first, ...last]);
};
