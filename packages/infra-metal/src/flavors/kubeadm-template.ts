import {
  clusterManifest,
  commandsOf,
  filesOf,
  flavorHead,
  indented,
  kubeadmConfigTemplateManifest,
  kubeadmControlPlaneManifest,
  manifest,
  manifests,
  nodeRegistration,
  onFirstMachine,
  podNetwork,
  templateSpec,
  workersManifest,
} from "@capstan/kit/flavors";
import { apiVersionOf } from "@capstan/schema";
import { TinkerbellCluster } from "../tinkerbell/api/tinkerbell-cluster.v1beta1.ts";

const apiVersion = apiVersionOf(TinkerbellCluster);

const pods = "${POD_CIDR:=10.244.0.0/16}";

const cluster = clusterManifest({
  infrastructure: "TinkerbellCluster",
  controlPlane: "KubeadmControlPlane",
  pods,
  services: "${SERVICE_CIDR:=172.26.0.0/16}",
});

const rackManifest = (endpoint: string): string =>
  manifest(
    { apiVersion, kind: "TinkerbellCluster", name: "${CLUSTER_NAME}" },
    `controlPlaneEndpoint:
  host: ${endpoint}
  port: 6443
imageLookupBaseRegistry: \${BASE_REGISTRY_URL:=ghcr.io/tinkerbell/cluster-api-provider-tinkerbell}
imageLookupOSDistro: \${OS_DISTRO:=ubuntu}
imageLookupOSVersion: "\${OS_VERSION:=22.04}"
`,
  );

/** Announces the endpoint's address from the machines of the control plane. */
const virtualAddress = (endpoint: string): string => `apiVersion: v1
kind: Pod
metadata:
  name: kube-vip
  namespace: kube-system
spec:
  hostNetwork: true
  hostAliases:
    - hostnames: [kubernetes]
      ip: 127.0.0.1
  containers:
    - name: kube-vip
      image: \${KUBE_VIP_IMAGE:=ghcr.io/kube-vip/kube-vip:v0.9.2}
      args: [manager]
      env:
        - {name: vip_arp, value: "true"}
        - {name: port, value: "6443"}
        - {name: address, value: "${endpoint}"}
        - {name: cp_enable, value: "true"}
        - {name: cp_namespace, value: kube-system}
        - {name: vip_leaderelection, value: "true"}
      securityContext:
        capabilities:
          add: [NET_ADMIN, NET_RAW]
      volumeMounts:
        - {name: kubeconfig, mountPath: /etc/kubernetes/admin.conf}
  volumes:
    - name: kubeconfig
      hostPath:
        path: /etc/kubernetes/admin.conf
`;

/** `PROVIDER_ID` becomes the id of the Hardware that the machine gets. */
const registration = nodeRegistration('"{{ ds.meta_data.hostname }}"', { "provider-id": "PROVIDER_ID" });

const virtualAddressFile = "/etc/kubernetes/manifests/kube-vip.yaml";
const swapped = (from: string, to: string): string =>
  onFirstMachine(`sed -i 's#path: /etc/kubernetes/${from}#path: /etc/kubernetes/${to}#' ${virtualAddressFile}`);

const controlPlane = (endpoint: string): string =>
  kubeadmControlPlaneManifest({
    infrastructure: "TinkerbellMachineTemplate",
    config: [
      filesOf([{ path: virtualAddressFile, permissions: "0600", content: virtualAddress(endpoint) }]),
      // Before the first machine has authorized its administrator, no one but the other one may do anything.
      commandsOf("preKubeadmCommands", [swapped("admin.conf", "super-admin.conf")]),
      // The swap restarts kube-vip, without which kubectl does not reach the API server.
      commandsOf("postKubeadmCommands", [podNetwork(pods), swapped("super-admin.conf", "admin.conf")]),
      `initConfiguration:
${indented(registration, 2)}joinConfiguration:
${indented(registration, 2)}    ignorePreflightErrors: [DirAvailable--etc-kubernetes-manifests]
`,
    ].join(""),
  });

const workersName = "${CLUSTER_NAME}-workers";

const machines = (name: string): string =>
  manifest(
    { apiVersion, kind: "TinkerbellMachineTemplate", name },
    templateSpec("bootOptions:\n  bootMode: ${BOOT_MODE:=netboot}\n"),
  );

/** A control plane behind an address, and a MachineDeployment, with kubeadm, on whatever Hardware there is. */
export const kubeadmManifests = (endpoint: string): readonly string[] => [
  cluster,
  rackManifest(endpoint),
  controlPlane(endpoint),
  machines("${CLUSTER_NAME}-control-plane"),
  workersManifest({ bootstrap: "KubeadmConfigTemplate", infrastructure: "TinkerbellMachineTemplate" }),
  kubeadmConfigTemplateManifest(workersName, `joinConfiguration:\n${indented(registration, 2)}`),
  machines(workersName),
];

/** A cluster on Hardware that is there already. */
export const kubeadmTemplate: string =
  flavorHead({
    needs:
      "Hardware (the flavor default brings its own), an image of image-builder with the version in BASE_REGISTRY_URL, an address CONTROL_PLANE_VIP that nothing else has, and a way to registry.k8s.io, ghcr.io and github.com",
    costs: "what the machines cost you",
  }) + manifests(kubeadmManifests("${CONTROL_PLANE_VIP}"));
