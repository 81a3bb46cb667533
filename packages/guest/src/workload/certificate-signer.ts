import { silentLogger, type Clock, type Logger } from "@capstan/contract";
import type { Client, Informer } from "@capstan/kube";
import { toBase64, fromBase64 } from "@capstan/kube-values";
import type { CertificateAndKey } from "@capstan/pki";
import { requestSubject, signCertificateRequest } from "@capstan/pki/requests";
import { resource, type KubeObject } from "@capstan/schema";

export const CertificateSigningRequest = resource({
  group: "certificates.k8s.io",
  version: "v1",
  kind: "CertificateSigningRequest",
  plural: "certificatesigningrequests",
  namespaced: false,
});

export const kubeletClientSigner = "kubernetes.io/kube-apiserver-client-kubelet";

const bootstrapGroup = "system:bootstrappers:kubeadm:default-node-token";

interface RequestSpec {
  readonly request: string;
  readonly signerName: string;
  readonly groups?: readonly string[];
}

/**
 * Signs certificates of joining nodes as kube-controller-manager does: approves requests of bootstrap tokens for a kubelet client
 * certificate and signs them with the cluster's authority. Stops when the returned function is called.
 */
export const signKubeletCertificates = (options: {
  readonly client: Client;
  readonly requests: Informer;
  readonly authority: CertificateAndKey;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly log?: Logger;
}): (() => void) => {
  const log = options.log ?? silentLogger;
  return options.requests.subscribe((event) => {
    if (event.type === "deleted") return;
    sign(event.object, options).catch((error: unknown) => {
      if (!options.signal.aborted) {
        log.warn("a certificate request could not be signed", {
          request: event.object.metadata.name,
          error: String(error),
        });
      }
    });
  });
};

const sign = async (
  request: KubeObject,
  { client, authority, clock, signal }: Parameters<typeof signKubeletCertificates>[0],
): Promise<void> => {
  const spec = request["spec"] as RequestSpec;
  const status = (request["status"] ?? {}) as {
    readonly certificate?: string;
    readonly conditions?: readonly { readonly type: string }[];
  };
  if (status.certificate !== undefined || spec.signerName !== kubeletClientSigner) return;
  const pem = fromBase64(spec.request);
  const subject = requestSubject(pem);
  const allowed =
    spec.groups?.includes(bootstrapGroup) === true &&
    subject.commonName.startsWith("system:node:") &&
    subject.organizations.join() === "system:nodes";
  if (!allowed) return;
  const key = { name: request.metadata.name ?? "" };
  if (!(status.conditions ?? []).some(({ type }) => type === "Approved")) {
    const conditions = [
      {
        type: "Approved",
        status: "True",
        reason: "AutoApproved",
        message: "Auto approving kubelet client certificate after SubjectAccessReview.",
      },
    ];
    // The status change wakes this function again, with the approval in place.
    await client.patch(
      CertificateSigningRequest,
      key,
      { type: "merge", body: { status: { conditions } } },
      { subresource: "approval", signal },
    );
    return;
  }
  const certificate = await signCertificateRequest(authority, pem, { now: clock.now(), usages: ["client"] });
  const body = { status: { certificate: toBase64(certificate) } };
  await client.patch(CertificateSigningRequest, key, { type: "merge", body }, { subresource: "status", signal });
};
