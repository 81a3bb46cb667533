import { once } from "node:events";
import { connect, type AddressInfo, type Socket } from "node:net";
import { createServer } from "node:tls";
import { createCertificateAuthority, issueCertificate } from "@capstan/pki";

/** Stands for the port of an API server: it shows a certificate. */
export interface ServingPort {
  connect(): Socket;
  stop(): Promise<void>;
}

/** `now` in milliseconds since the epoch. The certificate is valid for 365 days unless `validityDays` says otherwise. */
export const startServingPort = async (
  now: number,
  { commonName = "kube-apiserver", validityDays = 365 } = {},
): Promise<ServingPort> => {
  const authority = await createCertificateAuthority({ now, algorithm: "ECDSA-P256" });
  const usages = ["server"] as const;
  const own = await issueCertificate(authority, { now, commonName, usages, validityDays, algorithm: "ECDSA-P256" });
  const server = createServer({ cert: own.certificate, key: own.key }, (socket) => socket.resume());
  server.on("tlsClientError", () => undefined);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    connect: () => connect({ host: "127.0.0.1", port }),
    stop: async () => {
      server.close();
      await once(server, "close");
    },
  };
};
