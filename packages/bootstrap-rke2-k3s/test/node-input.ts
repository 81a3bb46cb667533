import type { PemPairs } from "@capstan/kit/bootstrap";
import type { NodeInput, Role, Source } from "../src/render.ts";

const token = "6f1d0c2b9a8e47d5b3c2a1908f7e6d5c";

/** The cluster of the worked examples. */
const cluster: Source["cluster"] = {
  endpointHost: "198.51.100.7",
  podCidrs: ["10.60.0.0/16"],
  serviceCidrs: ["10.61.0.0/16"],
};

/** Certificates that say what they are. */
export const namedCertificates: PemPairs = new Map(
  ["ca", "cca", "etcd", "peer-etcd"].map((purpose) => [
    purpose,
    { certificate: `<aurora-${purpose} tls.crt>`, key: `<aurora-${purpose} tls.key>` },
  ]),
);

/** A machine of it with nothing of its own. */
export const nodeInput = (
  role: Role,
  parts: Omit<Partial<NodeInput>, "role" | "source"> & {
    readonly version: string;
    readonly source?: Partial<Source>;
  },
): NodeInput => ({
  token,
  references: new Map(),
  registryFiles: [],
  files: [],
  manifests: {},
  certificates: namedCertificates,
  preCommands: [],
  postCommands: [],
  extraConfig: {},
  ...parts,
  role,
  source: { agent: {}, server: {}, cluster, ...parts.source },
});
