import { dockerPackages, kubernetesPackages } from "../packages/kubernetes-packages.ts";
import { rke2CommonPackages, rke2Packages } from "../packages/distribution-packages.ts";
import type { Package } from "../packages/package.ts";
import { systemPackages } from "../packages/system-packages.ts";
import type { InternetPlace } from "./internet.ts";

/** First line of a key that packages are signed with. */
export const keyMark = "-----BEGIN PGP PUBLIC KEY BLOCK-----";

const keyOf = (owner: string): string =>
  `${keyMark}\n\n${Buffer.from(`\u0099${owner}`, "latin1").toString("base64")}\n-----END PGP PUBLIC KEY BLOCK-----\n`;

/** A repository of packages. */
export interface Repository {
  readonly packages: readonly Package[];
  /** True if systems trust it from the start. */
  readonly isOfSystem: boolean;
}

const distributions =
  /^https?:\/\/(?:[\w.-]+\.)?(?:archive\.ubuntu\.com|security\.ubuntu\.com|ports\.ubuntu\.com|deb\.debian\.org|security\.debian\.org|mirrors\.linode\.com|repo\.system\.invalid)\//;

/** The repository at an address; `undefined`: there is none. */
export const repositoryAt = (address: string): Repository | undefined => {
  const url = `${address.replace(/\/+$/, "")}/`;
  const [, minor, kind] = /^https?:\/\/pkgs\.k8s\.io\/core:\/stable:\/v1\.(\d+)\/(deb|rpm)\/$/.exec(url) ?? [];
  if (minor !== undefined) {
    const packages = kubernetesPackages(Number(minor), kind === "rpm" ? "rpm" : "deb");
    return packages.length === 0 ? undefined : { packages, isOfSystem: false };
  }
  if (/^https?:\/\/download\.docker\.com\/linux\/(?:ubuntu|debian|centos|rhel|fedora)\//.test(url)) {
    return { packages: dockerPackages, isOfSystem: false };
  }
  const [, series] =
    /^https:\/\/rpm\.rancher\.io\/rke2\/\w+\/(common|1\.\d+)\/.+\/(?:noarch|x86_64)\/$/.exec(url) ?? [];
  if (series !== undefined) {
    const packages = series === "common" ? rke2CommonPackages : rke2Packages(Number(series.slice(2)));
    return packages.length === 0 ? undefined : { packages, isOfSystem: false };
  }
  return distributions.test(url) ? { packages: systemPackages, isOfSystem: true } : undefined;
};

/** The keys of repositories, and the hosts of those of the systems. */
export const repositoryPlaces: readonly InternetPlace[] = [
  {
    urls: ["https://pkgs.k8s.io/*"],
    answer: ({ pathname }) => {
      const [, minor = ""] =
        /^\/core:\/stable:\/v1\.(\d+)\/(?:deb\/Release\.key|rpm\/repodata\/repomd\.xml\.key)$/.exec(pathname) ?? [];
      return kubernetesPackages(Number(minor), "deb").length === 0 ? undefined : keyOf("isv:kubernetes");
    },
  },
  {
    urls: ["https://download.docker.com/*"],
    answer: ({ pathname }) => {
      if (/^\/linux\/[a-z]+\/gpg$/.test(pathname)) return keyOf("docker");
      const [, system] = /^\/linux\/(centos|rhel|fedora)\/docker-ce\.repo$/.exec(pathname) ?? [];
      if (system === undefined) return undefined;
      const base = `https://download.docker.com/linux/${system}/$releasever/$basearch/stable`;
      return `[docker-ce-stable]\nname=Docker CE Stable\nbaseurl=${base}\nenabled=1\ngpgcheck=1\ngpgkey=https://download.docker.com/linux/${system}/gpg\n`;
    },
  },
  {
    urls: ["https://rpm.rancher.io/*"],
    answer: ({ pathname }) => (pathname === "/public.key" ? keyOf("rancher") : undefined),
  },
  {
    urls: [
      "archive.ubuntu.com",
      "security.ubuntu.com",
      "deb.debian.org",
      "mirrors.linode.com",
      "azure.archive.ubuntu.com",
      "repo.system.invalid",
    ].map((host) => `https://${host}/*`),
    answer: () => undefined,
  },
];
