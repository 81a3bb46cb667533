import { boolean, enumOf, int32, map, object, optional, text } from "@capstan/schema";
import type { Field, Node } from "@capstan/schema";
import { component } from "./component.ts";
import { extraEnvs } from "./environment-variables.ts";
import { texts } from "./generation.ts";
import type { Generation } from "./generation.ts";

const names = (generation: Generation, description: string) =>
  texts(description, "A DNS name or address.", { maxItems: 100, maxLength: 253, ...generation.list });

const image = {
  imageRepository: optional(text(512, "Registry and path of the image, without its name.")),
  imageTag: optional(text(256, "Tag of the image.")),
};

const etcd = <A>(generation: Generation, extraArgs: Node<A>) =>
  object(
    {
      local: optional(
        object(
          {
            ...image,
            dataDir: optional(text(512, "Directory of the data; /var/lib/etcd when unset.")),
            extraArgs: optional(extraArgs),
            extraEnvs: optional(extraEnvs(generation)),
            serverCertSANs: optional(names(generation, "Further names in the server certificate.")),
            peerCertSANs: optional(names(generation, "Further names in the peer certificate.")),
          },
          { description: "etcd on the control plane machines.", ...generation.object },
        ),
      ),
      external: optional(
        object(
          {
            endpoints: texts("Addresses of the members.", "An address with port.", {
              maxItems: 50,
              maxLength: 512,
              ...generation.list,
            }),
            caFile: text(512, "Path of the CA certificate."),
            certFile: text(512, "Path of the client certificate."),
            keyFile: text(512, "Path of the client key."),
          },
          { description: "etcd elsewhere." },
        ),
      ),
    },
    { description: "Where etcd runs.", ...generation.object },
  );

/** Fields of `clusterConfiguration` that all versions have; `apiServer` are the API server's own beside certSANs. */
export const clusterConfigurationFields = <A, const F extends Readonly<Record<string, Field>>>(
  generation: Generation,
  extraArgs: (description: string) => Node<A>,
  apiServer: F,
) => ({
  etcd: optional(etcd(generation, extraArgs("Further arguments of etcd."))),
  controlPlaneEndpoint: optional(text(512, "Address and port of the API server; the Cluster's when unset.")),
  apiServer: optional(
    component(generation, "The API server.", extraArgs("Further arguments of the API server."), {
      certSANs: optional(names(generation, "Further names in the serving certificate.")),
      ...apiServer,
    }),
  ),
  controllerManager: optional(
    component(generation, "The controller manager.", extraArgs("Further arguments of the controller manager."), {}),
  ),
  scheduler: optional(component(generation, "The scheduler.", extraArgs("Further arguments of the scheduler."), {})),
  dns: optional(object(image, { description: "Image of CoreDNS.", ...generation.object })),
  certificatesDir: optional(text(512, "Directory of the certificates; /etc/kubernetes/pki when unset.")),
  imageRepository: optional(text(512, "Registry of the control plane images; registry.k8s.io when unset.")),
  featureGates: optional(
    map(boolean({ description: "Whether it is on." }), { description: "Feature gates of kubeadm." }),
  ),
  certificateValidityPeriodDays: optional(
    int32({ description: "Validity of the certificates; 365 days when unset.", minimum: 1, maximum: 1095 }),
  ),
  caCertificateValidityPeriodDays: optional(
    int32({ description: "Validity of the CA certificates; 3650 days when unset.", minimum: 1, maximum: 36_500 }),
  ),
  encryptionAlgorithm: optional(
    enumOf(["ECDSA-P256", "ECDSA-P384", "RSA-2048", "RSA-3072", "RSA-4096"], {
      description: "Algorithm of keys and certificates; RSA-2048 when unset.",
    }),
  ),
});
