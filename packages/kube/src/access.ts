import { Secret } from "@capstan/contract";

/** TLS settings of one server; PEM texts. */
export interface TlsMaterial {
  readonly ca?: string;
  readonly clientCertificate?: string;
  readonly clientKey?: Secret<string>;
  /** Name to ask for and to verify when it differs from the host of the address. */
  readonly serverName?: string;
  /** Accepts any certificate: for tests and throw-away servers. */
  readonly skipVerify?: boolean;
}

export interface Credentials {
  readonly tls: TlsMaterial;
  /** Value of the Authorization header. */
  readonly authorization?: Secret<string>;
}

/** Where an API server is and how to show who we are. */
export interface Access {
  /** Address, possibly with a path in front of every request. */
  readonly url: string;
  /** An HTTP proxy on the way. Default: none. */
  readonly proxyUrl?: string;
  /** The namespace that is meant where none is named, as a context of a kubeconfig says. Default: none. */
  readonly namespace?: string;
  /** Asked before every request, so that rotated credentials are used at once. `renew`: the last answer was refused. */
  credentials(options?: { readonly renew?: boolean }): Promise<Credentials>;
}

export interface AccessOptions {
  readonly url: string;
  readonly proxyUrl?: string;
  /** PEM; default: the system's authorities. */
  readonly ca?: string;
  /** Bearer token, or a function that returns the present one. */
  readonly token?: Secret<string> | (() => Promise<Secret<string>>);
  /** PEM. */
  readonly clientCertificate?: string;
  /** PEM. */
  readonly clientKey?: Secret<string>;
  readonly serverName?: string;
  readonly skipVerify?: boolean;
}

const bearer = (token: Secret<string>): Secret<string> => new Secret(`Bearer ${token.reveal()}`);

/** Access with an address and credentials given directly. */
export const directAccess = (options: AccessOptions): Access => {
  const { url, proxyUrl, token, ca, clientCertificate, clientKey, serverName, skipVerify } = options;
  const tls: TlsMaterial = {
    ...(ca !== undefined && { ca }),
    ...(clientCertificate !== undefined && { clientCertificate }),
    ...(clientKey !== undefined && { clientKey }),
    ...(serverName !== undefined && { serverName }),
    ...(skipVerify !== undefined && { skipVerify }),
  };
  const authorization = async (): Promise<Secret<string> | undefined> =>
    token === undefined ? undefined : bearer(typeof token === "function" ? await token() : token);
  return {
    url,
    ...(proxyUrl !== undefined && { proxyUrl }),
    credentials: async () => {
      const header = await authorization();
      return header === undefined ? { tls } : { tls, authorization: header };
    },
  };
};
