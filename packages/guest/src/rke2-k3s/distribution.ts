import { CapstanError } from "@capstan/contract";

/** Properties of a distribution that the model depends on. */
export interface Distribution {
  readonly name: "k3s" | "rke2";
  /** Where its install script is. */
  readonly installer: string;
  readonly versionVariable: string;
  readonly roleVariable: string;
  /** With it, the script takes what the image has. */
  readonly offlineVariable: string;
  /** True if the script starts the service. */
  readonly starts: boolean;
  readonly services: { readonly server: string; readonly agent: string };
  readonly configDirectory: string;
  readonly dataDirectory: string;
  /** etcd is a static Pod of each server, otherwise a part of its process. */
  readonly hasStaticPods: boolean;
  /** Where servers take registrations, when not at the port of the API server. */
  readonly registrationPort?: number;
}

export const distributions: readonly Distribution[] = [
  {
    name: "rke2",
    installer: "https://get.rke2.io",
    versionVariable: "INSTALL_RKE2_VERSION",
    roleVariable: "INSTALL_RKE2_TYPE",
    offlineVariable: "INSTALL_RKE2_ARTIFACT_PATH",
    starts: false,
    services: { server: "rke2-server.service", agent: "rke2-agent.service" },
    configDirectory: "/etc/rancher/rke2",
    dataDirectory: "/var/lib/rancher/rke2",
    hasStaticPods: true,
    registrationPort: 9345,
  },
  {
    name: "k3s",
    installer: "https://get.k3s.io",
    versionVariable: "INSTALL_K3S_VERSION",
    roleVariable: "INSTALL_K3S_EXEC",
    offlineVariable: "INSTALL_K3S_SKIP_DOWNLOAD",
    starts: true,
    services: { server: "k3s.service", agent: "k3s-agent.service" },
    configDirectory: "/etc/rancher/k3s",
    dataDirectory: "/var/lib/rancher/k3s",
    hasStaticPods: false,
  },
];

/** An error as a service of the distribution prints it. */
export const serviceError = (message: string): CapstanError =>
  new CapstanError({ code: "guest.service_failed", reason: "ServiceFailed", message, retry: { kind: "never" } });
