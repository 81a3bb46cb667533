import { distributionScript } from "./install-script.ts";
import { downloadPlaces } from "./downloads.ts";
import { installScripts } from "./install-scripts.ts";
import type { InternetPlace } from "./internet.ts";
import { publishedManifest } from "./published-manifests.ts";
import { repositoryPlaces } from "./repositories.ts";

/** The internet that machines see unless they are given more. */
export const knownPlaces: readonly InternetPlace[] = [
  ...downloadPlaces,
  ...repositoryPlaces,
  ...installScripts,
  {
    urls: ["https://github.com/*", "https://raw.githubusercontent.com/*", "https://kube-vip.io/*"],
    answer: ({ host, pathname }) => publishedManifest(`https://${host}${pathname}`),
  },
  { urls: ["https://get.k3s.io/*"], answer: () => distributionScript("k3s") },
  { urls: ["https://get.rke2.io/*"], answer: () => distributionScript("rke2") },
  {
    urls: [
      "https://registry.k8s.io/*",
      "https://ghcr.io/*",
      "https://quay.io/*",
      "https://docker.io/*",
      "https://registry-1.docker.io/*",
    ],
    answer: () => undefined,
  },
];
