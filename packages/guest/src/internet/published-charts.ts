import { cilium } from "./manifests/cilium.ts";
import { flannel } from "./manifests/flannel.ts";

interface Chart {
  /** The version installed where the HelmChart names none. */
  readonly latest: string;
  readonly text: (version: string) => string;
}

/** By address of the repository and name. */
const charts: Readonly<Record<string, Chart>> = {
  "https://helm.cilium.io/cilium": { latest: "1.18.4", text: (version) => cilium(`v${version}`) },
  "https://flannel-io.github.io/flannel/flannel": {
    latest: "v0.27.4",
    text: (version) => flannel(version).replaceAll("namespace: kube-flannel", "namespace: kube-system"),
  },
};

/** The stand-in for what a published Helm chart installs: of common network plugins. `undefined`: none is. */
export const publishedChart = ({
  chart,
  repo,
  version,
}: {
  readonly chart: string;
  readonly repo: string;
  readonly version?: string;
}): string | undefined => {
  const address = `${repo.replace(/\/+$/, "")}/${chart}`;
  if (!Object.hasOwn(charts, address)) return undefined;
  const { latest, text } = charts[address]!;
  return text(version ?? latest);
};
