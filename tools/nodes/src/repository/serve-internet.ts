import { createServer } from "node:https";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@capstan/runtime";
import { createCertificateAuthority, issueCertificate } from "@capstan/pki";
import { fileOf } from "./package-repository.ts";

/** Names that machines find at their host. */
export const internetNames = ["pkgs.k8s.io", "download.docker.com", "github.com", "get.k3s.io", "get.rke2.io"] as const;

/** Substitute for the manifest of a network plugin: machines here have one. */
const manifest = "apiVersion: v1\nkind: Namespace\nmetadata: {name: kube-flannel}\n";

/** File with the request to an installer, on a machine that has none to install. */
export const askedPath = "/run/installer.asked";

/**
 * Substitute for the installers of k3s and RKE2, whose programs are not built here: records its variables, and fails.
 */
const installer = `#!/bin/sh
env | grep '^INSTALL_' | sort > ${askedPath}.new
mv ${askedPath}.new ${askedPath}
exit 1
`;

const texts: Readonly<Record<string, string>> = {
  "github.com": manifest,
  "get.k3s.io": installer,
  "get.rke2.io": installer,
};

/** The authority that machines of a cache trust, made once. */
export const machineAuthority = async (
  cache: string,
): Promise<{ readonly certificate: string; readonly key: string }> => {
  const file = join(cache, "authority.json");
  if (!existsSync(file)) {
    const made = await createCertificateAuthority({ now: systemClock.now() });
    writeFileSync(file, JSON.stringify(made), { mode: 0o600 });
  }
  return JSON.parse(readFileSync(file, "utf8")) as { readonly certificate: string; readonly key: string };
};

/** The internet of machines without a way out: package repositories, a manifest and installers, at the host's address. */
export const serveInternet = async (options: {
  readonly cache: string;
  /** Folder that `packageRepositories` returned. */
  readonly packages: string;
  readonly address: string;
}): Promise<{ close(): Promise<void> }> => {
  const authority = await machineAuthority(options.cache);
  const { certificate, key } = await issueCertificate(authority, {
    now: systemClock.now(),
    commonName: internetNames[0],
    hosts: [...internetNames],
    usages: ["server"],
    algorithm: "ECDSA-P256",
  });
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const host = request.headers.host ?? "";
    const path = decodeURIComponent(request.url ?? "");
    const text = texts[host];
    const answer = text === undefined ? fileOf(options.packages, host, path) : Promise.resolve(Buffer.from(text));
    void answer.then((bytes) => {
      response.statusCode = bytes === undefined ? 404 : 200;
      response.end(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(443, options.address, resolve));
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
