import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type CertificateAndKey,
  createCertificateAuthority,
  createServiceAccountKeys,
  issueCertificate,
  renderKubeconfig,
} from "@capstan/pki";

/** A user known by a bearer token. */
export interface KubeUser {
  readonly name: string;
  readonly groups: readonly string[];
}

/** Paths of the files the programs read. */
export interface CredentialFiles {
  readonly ca: string;
  readonly caKey: string;
  readonly serving: string;
  readonly servingKey: string;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
  readonly tokens: string;
  readonly kubeconfig: string;
}

export interface Credentials {
  readonly files: CredentialFiles;
  readonly ca: CertificateAndKey;
  /** Client certificate in group system:masters. */
  readonly admin: CertificateAndKey;
  /** Kubeconfig of a user in group system:masters. */
  readonly kubeconfig: string;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Everything a server at `url` and its clients trust, written to `directory`. */
export const writeCredentials = async (
  directory: string,
  url: string,
  users: Readonly<Record<string, KubeUser>>,
  now: number,
): Promise<Credentials> => {
  const authority = await createCertificateAuthority({ now, algorithm: "ECDSA-P256" });
  const issue = (commonName: string, usage: "client" | "server", more: object) =>
    issueCertificate(authority, { now, algorithm: "ECDSA-P256", commonName, usages: [usage], ...more });
  const hosts = ["127.0.0.1", "localhost", "kubernetes.default.svc", "10.0.0.1"];
  const serving = await issue("kube-apiserver", "server", { hosts });
  const admin = await issue("kubernetes-admin", "client", { organizations: ["system:masters"] });
  const keys = await createServiceAccountKeys();
  const kubeconfig = renderKubeconfig({
    server: url,
    certificateAuthority: authority.certificate,
    clusterName: "kube-apiserver",
    userName: "kubernetes-admin",
    clientCertificate: admin.certificate,
    clientKey: admin.key,
  });
  const write = (name: string, content: string): string => {
    const path = join(directory, name);
    writeFileSync(path, content, { mode: 0o600 });
    return path;
  };
  const lines = Object.entries(users).map(([token, { name, groups }]) =>
    [token, name, name, groups.join(",")].map(quoted).join(","),
  );
  return {
    ca: authority,
    admin,
    kubeconfig,
    files: {
      ca: write("ca.crt", authority.certificate),
      caKey: write("ca.key", authority.key),
      serving: write("serving.crt", serving.certificate),
      servingKey: write("serving.key", serving.key),
      serviceAccountKey: write("sa.key", keys.privateKey),
      serviceAccountPublicKey: write("sa.pub", keys.publicKey),
      tokens: write("tokens.csv", lines.map((line) => `${line}\n`).join("")),
      kubeconfig: write("kubeconfig", kubeconfig),
    },
  };
};
