import type { ApiServer } from "@capstan/apiserver";
import { Secret, type Clock } from "@capstan/contract";
import { connect, type Connection, type ConnectionSettings } from "@capstan/kube";
import { parseKubeconfig } from "@capstan/pki";

/** A connection to an embedded server as its administrator. */
export const adminConnection = async (
  server: Pick<ApiServer, "url" | "caCertificate" | "adminKubeconfig">,
  settings: { readonly clock: Clock } & Pick<ConnectionSettings, "onAnswer">,
): Promise<Connection> => {
  const { clientCertificate, clientKey } = parseKubeconfig(await server.adminKubeconfig());
  return connect({
    url: server.url,
    ca: server.caCertificate,
    ...(clientCertificate === undefined ? {} : { clientCertificate }),
    ...(clientKey === undefined ? {} : { clientKey: new Secret(clientKey) }),
    ...settings,
  });
};
