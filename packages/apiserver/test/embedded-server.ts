import { generateKeys, issueCertificate, createCertificateAuthority } from "@capstan/pki";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { type ApiServer, type ApiServerOptions, createApiServer } from "../src/index.ts";
import type { Target } from "./conformance/api.ts";

export const users = {
  "token-admin": { name: "admin", groups: ["system:masters"] },
  "token-alice": { name: "alice", groups: ["devs"] },
  "token-bob": { name: "bob", groups: [] },
} as const;

/** The user of the cases that comes with a client certificate. */
export const carolSubject = {
  commonName: "carol",
  organizations: ["team-a", "team-b"],
  usages: ["client"],
} as const;

/** A server on a free port of this process, with the users of the conformance cases. */
export const startServer = async (options: Partial<ApiServerOptions> = {}): Promise<ApiServer> => {
  const server = createApiServer({ clock: systemClock, random: cryptoRandom, tokens: users, ...options });
  await server.start();
  return server;
};

/** A server as target of the conformance suite. */
export const startTarget = async (
  options: Partial<ApiServerOptions> = {},
): Promise<{ readonly server: ApiServer; readonly target: Target }> => {
  const now = systemClock.now();
  const certificateAuthority = await createCertificateAuthority({ now, algorithm: "ECDSA-P256" });
  const server = await startServer({ certificateAuthority, ...options });
  const carol = await issueCertificate(certificateAuthority, {
    ...carolSubject,
    now,
    keys: await generateKeys("ECDSA-P256"),
  });
  return {
    server,
    target: {
      url: server.url,
      caCertificate: server.caCertificate,
      tokens: { admin: "token-admin", alice: "token-alice", bob: "token-bob" },
      carol,
    },
  };
};
