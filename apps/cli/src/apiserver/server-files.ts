import { readFileSync } from "node:fs";
import { CapstanError } from "@capstan/contract";
import type { ApiServerOptions } from "@capstan/apiserver";
import { publicKeyPem, readCertificate, readCertificates, readPrivateKey, readPublicKey } from "@capstan/pki";
import { whyUnreadable } from "../file-words.ts";
import type { ApiserverOptions } from "./apiserver-options.ts";
import { parseTokenFile } from "./token-file.ts";

/** A file that a flag names. */
interface FlagFile {
  readonly flag: string;
  readonly path: string;
}

const failure = (code: string, reason: string, message: string, cause?: unknown): CapstanError =>
  new CapstanError({ code, reason, message, retry: { kind: "never" }, ...(cause === undefined ? {} : { cause }) });

const invalid = ({ flag, path }: FlagFile, words: string, cause?: unknown): CapstanError =>
  failure("serve.file_invalid", "FileInvalid", `--${flag} ${path}: ${words}`, cause);

/** A combination of flags, or a value, that cannot work. */
export const flagError = (words: string): CapstanError => failure("serve.flag_invalid", "FlagInvalid", words);

/** Throws `serve.file_unreadable`. */
export const readFlagFile = ({ flag, path }: FlagFile): string => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const message = `--${flag} ${path}: ${whyUnreadable(error)}; name a file that this user may read`;
    throw failure("serve.file_unreadable", "FileUnreadable", message, error);
  }
};

/** Describes how a PEM text begins, for messages: never its content. */
const found = (text: string): string => {
  const block = /-----BEGIN ([A-Z0-9 ]+)-----/.exec(text)?.[1];
  return block === undefined ? "it is not PEM" : `its first block is ${block}`;
};

const certificates = (file: FlagFile): string => {
  const text = readFlagFile(file);
  try {
    if (readCertificates(text).length > 0) return text;
  } catch (error) {
    throw invalid(file, "a certificate in it is damaged; export it again as PEM", error);
  }
  throw invalid(file, `${found(text)}; expected CERTIFICATE blocks`);
};

const privateKey = (file: FlagFile): string => {
  const text = readFlagFile(file);
  try {
    readPrivateKey(text);
    return text;
  } catch (error) {
    throw invalid(file, `${found(text)}; expected an unencrypted private key (PKCS#1, SEC 1 or PKCS#8)`, error);
  }
};

const publicKeys = (file: FlagFile): readonly string[] => {
  const text = readFlagFile(file);
  const blocks = text.match(/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g) ?? [];
  if (blocks.length === 0) throw invalid(file, `${found(text)}; expected public (or private) keys`);
  return blocks.map((block) => {
    try {
      return publicKeyPem(readPublicKey(block));
    } catch (error) {
      throw invalid(file, `${found(block)} and cannot be read; expected public (or private) keys`, error);
    }
  });
};

const servingPair = (options: ApiserverOptions): Pick<ApiServerOptions, "tls"> => {
  const { tlsCertFile, tlsPrivateKeyFile } = options;
  if (tlsCertFile === undefined && tlsPrivateKeyFile === undefined) return {};
  if (tlsCertFile === undefined || tlsPrivateKeyFile === undefined) {
    throw flagError(
      "--tls-cert-file and --tls-private-key-file belong together: set both, or neither to have a certificate generated",
    );
  }
  const certificate = certificates({ flag: "tls-cert-file", path: tlsCertFile });
  const file = { flag: "tls-private-key-file", path: tlsPrivateKeyFile };
  const key = privateKey(file);
  if (!readCertificate(certificate).checkPrivateKey(readPrivateKey(key).privateKey)) {
    throw invalid(file, `the key is not that of the first certificate in --tls-cert-file ${tlsCertFile}`);
  }
  return { tls: { certificate, key } };
};

const serviceAccount = (options: ApiserverOptions): Pick<ApiServerOptions, "serviceAccount"> => {
  const { serviceAccountSigningKeyFile: signing, serviceAccountIssuer: issuer } = options;
  const verificationKeys = options.serviceAccountKeyFiles.flatMap((path) =>
    publicKeys({ flag: "service-account-key-file", path }),
  );
  if (signing === undefined) {
    return { serviceAccount: { verificationKeys, ...(issuer === undefined ? {} : { issuer }) } };
  }
  const file = { flag: "service-account-signing-key-file", path: signing };
  const key = privateKey(file);
  const publicKey = publicKeyPem(readPrivateKey(key).publicKey);
  if (verificationKeys.length > 0 && !verificationKeys.includes(publicKey)) {
    throw invalid(
      file,
      "no --service-account-key-file contains the public half of this key, so its tokens would be rejected",
    );
  }
  return {
    serviceAccount: {
      keys: { privateKey: key, publicKey },
      verificationKeys,
      ...(issuer === undefined ? {} : { issuer }),
    },
  };
};

const tokens = (path: string | undefined): Pick<ApiServerOptions, "tokens"> => {
  if (path === undefined) return {};
  const file = { flag: "token-auth-file", path };
  const complain = (line: number, words: string): never => {
    throw invalid({ ...file, path: `${path}:${line}` }, words);
  };
  return { tokens: parseTokenFile(readFlagFile(file), complain) };
};

/**
 * Reads and checks every file that the flags name. Throws `serve.file_unreadable`, `serve.file_invalid` or `serve.flag_invalid`, always
 * naming flag and file, never a content.
 */
export const readServerFiles = (
  options: ApiserverOptions,
): Pick<ApiServerOptions, "tls" | "clientCA" | "serviceAccount" | "tokens"> => ({
  ...servingPair(options),
  ...(options.clientCaFile === undefined
    ? {}
    : { clientCA: certificates({ flag: "client-ca-file", path: options.clientCaFile }) }),
  ...serviceAccount(options),
  ...tokens(options.tokenAuthFile),
});
