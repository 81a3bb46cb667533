import { clusterObjects } from "./cluster-objects.ts";

const installer =
  "https://raw.githubusercontent.com/linode/cluster-api-provider-linode/main/scripts/pre-kubeadminit.sh";
const flannel = "https://github.com/flannel-io/flannel/releases/download/v0.27.4/kube-flannel.yml";

/** One cluster on Linode with a control-plane Machine and this many workers, as a file of `capstan up`. */
export const linodeManifest = (workers: number): string => {
  const credentials = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "credentials" },
    stringData: { apiToken: "${LINODE_TOKEN}", LINODE_URL: "${LINODE_URL}" },
  };
  const objects = clusterObjects(
    { namespace: "default", name: "bench", workers },
    {
      vendor: "Linode",
      version: "v1alpha2",
      cluster: { region: "us-ord", credentialsRef: { name: "credentials" } },
      machine: { region: "us-ord", type: "g6-standard-2", image: "linode/ubuntu22.04" },
      nodeName: "{{ ds.meta_data.label }}",
      setUp: {
        install: (version) => `curl -fsSL ${installer} | bash -s ${version}`,
        network: `kubectl --kubeconfig /etc/kubernetes/admin.conf apply -f ${flannel}`,
        kubeletArgs: [{ name: "provider-id", value: "linode://{{ ds.meta_data.id }}" }],
      },
    },
  );
  return [credentials, ...objects].map((object) => `${JSON.stringify(object)}\n`).join("---\n");
};
