import crypto, { type KeyPairKeyObjectResult, type RSAKeyPairKeyObjectOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { promisify } from "node:util";

/** So many keys of one size are different before the first comes again: more than any test has at once. */
export const pooledKeys = 32;

const pooled = Symbol.for("capstan.testing.pooled-keys");

const generate = crypto.generateKeyPair as typeof crypto.generateKeyPair & { readonly [pooled]?: true };

const isPlainRsa = (type: string, options: object): options is RSAKeyPairKeyObjectOptions =>
  type === "rsa" && Object.keys(options).every((name) => name === "modulusLength" || name === "publicExponent");

const pool = () => {
  const make = promisify(generate);
  const made = new Map<number, { readonly keys: Promise<KeyPairKeyObjectResult>[]; taken: number }>();
  const take = (options: RSAKeyPairKeyObjectOptions): Promise<KeyPairKeyObjectResult> => {
    const known = made.get(options.modulusLength) ?? { keys: [], taken: 0 };
    made.set(options.modulusLength, known);
    const place = known.taken % pooledKeys;
    known.taken += 1;
    return (known.keys[place] ??= make("rsa", options));
  };
  const generatePooled = async (type: string, options: object): Promise<KeyPairKeyObjectResult> =>
    isPlainRsa(type, options) ? take(options) : (promisify(generate) as (...given: unknown[]) => never)(type, options);
  const answer = async (options: RSAKeyPairKeyObjectOptions, done: (...result: unknown[]) => void): Promise<void> => {
    const { publicKey, privateKey } = await take(options);
    done(null, publicKey, privateKey);
  };
  const withCallback = (type: string, options: object, done: (...result: unknown[]) => void): void => {
    if (isPlainRsa(type, options)) void answer(options, done);
    else (generate as (...given: unknown[]) => void)(type, options, done);
  };
  return Object.assign(withCallback, { [promisify.custom]: generatePooled, [pooled]: true });
};

/**
 * From here on `generateKeyPair` of node:crypto takes plain RSA keys from a pool of this process, and makes one only while the pool is not
 * full: one costs some 40 ms of a core, and every API server, cluster and machine wants some. Keys of other kinds are new ones.
 */
export const poolKeys = (): void => {
  if (generate[pooled] === true) return;
  Object.assign(crypto, { generateKeyPair: pool() });
  syncBuiltinESMExports();
};
