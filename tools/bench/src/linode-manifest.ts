import { clusterObjects } from "./cluster-objects.ts";

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
    },
  );
  return [credentials, ...objects].map((object) => `${JSON.stringify(object)}\n`).join("---\n");
};
