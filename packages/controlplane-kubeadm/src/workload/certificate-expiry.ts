import { once } from "node:events";
import type { X509Certificate } from "node:crypto";
import type { Duplex } from "node:stream";
import { connect, type TLSSocket } from "node:tls";
import { KubeadmConfig } from "@capstan/bootstrap-kubeadm/api";
import { Annotation, CapstanError, isCapstanError, rfc3339 } from "@capstan/contract";
import { hasNode, isLeaving, nameOfMember, type Member } from "@capstan/kit/control-plane";
import { socketTo } from "@capstan/kit/workload";
import { keyOf } from "@capstan/kube-values";
import type { Context } from "../etcd/etcd-access.ts";
import { nodeOf, servesApi } from "./members.ts";

const defaultPort = 6443;
const commonName = "CN=kube-apiserver";

const unreadable = (member: Member, why: string, cause?: unknown): CapstanError =>
  new CapstanError({
    code: "kubeadm.certificate_unreadable",
    reason: "CertificateUnreadable",
    message: `Cannot read the certificate expiry of Machine ${nameOfMember(member)} from its API server: ${why}`,
    cause,
  });

const specOf = ({ config }: Member): KubeadmConfig["spec"] => (config as KubeadmConfig | undefined)?.spec;

/** Returns the port of the API server on the Node of a Machine. */
const portOf = (member: Member): number => {
  const { initConfiguration, joinConfiguration } = specOf(member) ?? {};
  return (
    initConfiguration?.localAPIEndpoint?.bindPort ??
    joinConfiguration?.controlPlane?.localAPIEndpoint?.bindPort ??
    defaultPort
  );
};

/**
 * Returns the Machines whose API server is still to be asked, once it works: a Node joins before its API server does. Removing the annotation
 * has the date read again.
 */
const withoutExpiry = (members: readonly Member[], serves: (member: Member) => boolean): readonly Member[] =>
  members.filter(
    (member) =>
      hasNode(member) &&
      serves(member) &&
      !isLeaving(member) &&
      member.config !== undefined &&
      member.config.metadata.annotations?.[Annotation.certificatesExpiry] === undefined,
  );

/** The certificate that the other end shows. What the stream fails with says more than that the connection ended. */
const peerOf = async (secure: TLSSocket, stream: Duplex, signal: AbortSignal): Promise<X509Certificate | undefined> => {
  stream.once("error", (error) => secure.destroy(error));
  try {
    await once(secure, "secureConnect", { signal });
    return secure.getPeerX509Certificate();
  } finally {
    secure.on("error", () => undefined).destroy();
    stream.destroy();
  }
};

/**
 * Returns the end of validity of the certificate that an API server shows, in milliseconds since the epoch. Only the date matters, and
 * one that has expired must be readable too, so that it is not verified.
 */
const readExpiry = async (context: Context, member: Member): Promise<number> => {
  const { signal } = context.call;
  try {
    const pod = { namespace: "kube-system", name: `kube-apiserver-${nodeOf(member)}` };
    const stream = await (await context.workload()).forward(pod, portOf(member), { signal });
    const socket = await socketTo(stream, (why) => unreadable(member, why));
    const certificate = await peerOf(connect({ socket, rejectUnauthorized: false }), stream, signal);
    if (certificate?.subject.split("\n").includes(commonName) === true) return certificate.validToDate.getTime();
    throw unreadable(member, `its certificate is not for ${commonName}`);
  } catch (error) {
    signal.throwIfAborted();
    throw isCapstanError(error, "kubeadm.certificate_unreadable")
      ? error
      : unreadable(member, (error as Error).message, error);
  }
};

/**
 * Writes on the KubeadmConfig of each Machine whose API server works, once, when its certificates expire. Called before it is said on the
 * Machine that it works, so that core reads both at once, and again when all Machines are up to date, to say what failed. After a Machine
 * that cannot be asked, the others follow; then throws `kubeadm.certificate_unreadable`.
 */
export const recordCertificateExpiry = async (
  context: Context,
  serves: (member: Member) => boolean = servesApi,
): Promise<void> => {
  let failure: unknown;
  for (const member of withoutExpiry(context.members, serves)) {
    try {
      const expiry = rfc3339(await readExpiry(context, member));
      const body = { metadata: { annotations: { [Annotation.certificatesExpiry]: expiry } } };
      if (member.config !== undefined) {
        await context.client.patch(KubeadmConfig, keyOf(member.config), { type: "merge", body }, context.call);
      }
    } catch (error) {
      if (!isCapstanError(error)) throw error;
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
};
