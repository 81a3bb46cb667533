import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import type { Clock } from "@capstan/contract";
import { StatusError } from "../model/status-error.ts";
import type { User } from "../model/types.ts";

const unauthorized = (): StatusError => new StatusError(401, "Unauthorized", "Unauthorized");

const anonymous: User = Object.freeze({ name: "system:anonymous", groups: ["system:unauthenticated"] });

/** Knows bearer tokens of one kind; `undefined` for a token that is not of this kind or not valid. */
export type TokenAuthenticator = (token: string) => Promise<User | undefined> | User | undefined;

/** A user with the group that every authenticated user has. */
export const authenticated = (user: User): User =>
  user.groups.includes("system:authenticated") ? user : { ...user, groups: [...user.groups, "system:authenticated"] };

const values = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === "string" ? [value] : value;

interface PresentedCertificate {
  readonly isPresent: boolean;
  /** Absent when the certificate is not valid or names no one. */
  readonly user: User | undefined;
  /** End of its validity, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The user of a verified client certificate: CN is the name, each O a group. */
const presentedCertificate = (socket: TLSSocket): PresentedCertificate => {
  const certificate = socket.getPeerCertificate();
  const subject = certificate?.subject as
    | { readonly CN?: string | string[]; readonly O?: string | string[] }
    | undefined;
  const [name] = values(subject?.CN);
  return {
    isPresent: subject !== undefined,
    expiresAt: Date.parse(certificate?.valid_to),
    user: name === undefined || !socket.authorized ? undefined : authenticated({ name, groups: values(subject?.O) }),
  };
};

/**
 * Tries a client certificate, then the bearer token with each authenticator. Without either the user is anonymous; a certificate
 * or token that is not valid is refused with a 401. A certificate is verified when its connection is made, and expires on it.
 */
export const createAuthenticator = (
  tokens: readonly TokenAuthenticator[],
  clock: Pick<Clock, "now">,
): ((request: IncomingMessage) => Promise<User>) => {
  const certificates = new WeakMap<TLSSocket, PresentedCertificate>();
  const certificateOf = (socket: TLSSocket): PresentedCertificate => {
    const known = certificates.get(socket) ?? presentedCertificate(socket);
    certificates.set(socket, known);
    return known;
  };
  return async (request) => {
    const certificate = certificateOf(request.socket as TLSSocket);
    if (certificate.user !== undefined && clock.now() <= certificate.expiresAt) {
      return certificate.user;
    }
    const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
    if (token === undefined && !certificate.isPresent) {
      return anonymous;
    }
    for (const authenticator of token === undefined ? [] : tokens) {
      const found = await authenticator(token as string);
      if (found !== undefined) {
        return authenticated(found);
      }
    }
    throw unauthorized();
  };
};
