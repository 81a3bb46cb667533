import { azureCloudControllerManager, azureCloudNodeManager } from "./manifests/azure-cloud-provider.ts";
import { calico } from "./manifests/calico.ts";
import { cilium } from "./manifests/cilium.ts";
import { flannel } from "./manifests/flannel.ts";
import { kubeVipCloudProvider, kubeVipRights } from "./manifests/kube-vip.ts";
import { linodeCloudController } from "./manifests/linode-cloud-controller.ts";

const raw = String.raw`raw\.githubusercontent\.com`;

/** `VERSION` in an address is any tag or branch; the version that stands for a branch is beside it. */
interface Published {
  readonly address: string;
  readonly branch: string;
  readonly text: (version: string) => string;
}

const release = String.raw`github\.com/flannel-io/flannel/releases`;

const published: readonly Published[] = [
  { address: `${release}/latest/download/kube-flannel\\.yml`, branch: "v0.27.4", text: flannel },
  { address: `${release}/download/VERSION/kube-flannel\\.yml`, branch: "v0.27.4", text: flannel },
  { address: `${raw}/flannel-io/flannel/VERSION/Documentation/kube-flannel\\.yml`, branch: "v0.27.4", text: flannel },
  { address: `${raw}/projectcalico/calico/VERSION/manifests/calico\\.yaml`, branch: "v3.31.2", text: calico },
  {
    address: `${raw}/cilium/cilium/VERSION/install/kubernetes/quick-install\\.yaml`,
    branch: "v1.18.4",
    text: cilium,
  },
  {
    address: `${raw}/kubernetes-sigs/cloud-provider-azure/VERSION/examples/out-of-tree/cloud-controller-manager\\.yaml`,
    branch: "v1.34.3",
    text: azureCloudControllerManager,
  },
  {
    address: `${raw}/kubernetes-sigs/cloud-provider-azure/VERSION/examples/out-of-tree/cloud-node-manager\\.yaml`,
    branch: "v1.34.3",
    text: azureCloudNodeManager,
  },
  {
    address: `${raw}/linode/linode-cloud-controller-manager/VERSION/deploy/ccm-linode-template\\.yaml`,
    branch: "main",
    text: () => linodeCloudController,
  },
  { address: String.raw`kube-vip\.io/manifests/rbac\.yaml`, branch: "main", text: () => kubeVipRights },
  {
    address: `${raw}/kube-vip/kube-vip-cloud-provider/VERSION/manifest/kube-vip-cloud-controller\\.yaml`,
    branch: "v0.0.12",
    text: kubeVipCloudProvider,
  },
];

const patterns = published.map(({ address, ...rest }) => ({
  ...rest,
  pattern: new RegExp(`^https://${address.replace("VERSION", "(?<version>[^/]+)")}$`),
}));

/** The stand-in for the manifest that is published at an address: of common network plugins and cloud controllers. `undefined`: none is. */
export const publishedManifest = (url: string): string | undefined => {
  for (const { branch, pattern, text } of patterns) {
    const match = pattern.exec(url);
    if (match === null) continue;
    const version = match.groups?.["version"] ?? "";
    return text(/^v\d/.test(version) ? version : branch);
  }
  return undefined;
};
