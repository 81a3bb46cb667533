import { createCipheriv, generateKeyPairSync } from "node:crypto";
import { encodeBase64, hashSync } from "bcryptjs";
import { costing, define, times, type TemplateFunctions } from "../functions/define.ts";
import { runesOf } from "../values/bytes.ts";
import { durationText } from "../values/go-duration.ts";
import { GoTime } from "../values/go-time.ts";
import { isInteger, toNumber } from "../values/numbers.ts";
import { dateFunctions, roundedDuration } from "./dates.ts";
import { aesKey } from "./passwords.ts";

/** Where functions take from whatever differs from time to time. */
export interface Chance {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
}

/** A number below another one, without preferring any. */
const below = (end: number, { randomBytes }: Chance): number => {
  const most = 2 ** 48 - (2 ** 48 % end);
  for (;;) {
    const value = Buffer.from(randomBytes(6)).readUIntBE(0, 6);
    if (value < most) return value % end;
  }
};

const shuffled = (text: string, chance: Chance): string => {
  const letters = [...runesOf(text)];
  for (let last = letters.length - 1; last > 0; last -= 1) {
    const other = below(last + 1, chance);
    [letters[last], letters[other]] = [letters[other]!, letters[last]!];
  }
  return letters.join("");
};

const encrypted = (password: string, text: string, { randomBytes }: Chance): string => {
  if (text === "") return "";
  const iv = randomBytes(16);
  const cipher = createCipheriv("aes-256-cbc", aesKey(password), iv);
  return Buffer.concat([iv, cipher.update(text), cipher.final()]).toString("base64");
};

const bcryptRounds = 10;
const longestPassword = 72;

const bcrypt = (password: string, { randomBytes }: Chance): string => {
  if (Buffer.byteLength(password) > longestPassword) {
    return "failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes";
  }
  return hashSync(password, `$2a$${bcryptRounds}$${encodeBase64(randomBytes(16), 16)}`);
};

/** Cost of hashing a password: more than a short template may spend. */
const bcryptUnits = 600_000;

const sinceNow = (value: unknown, { now }: Chance): bigint => {
  const present = BigInt(now()) * 1_000_000n;
  if (value instanceof GoTime) return present - value.nanoseconds;
  return isInteger(value) ? present - BigInt(toNumber(value)) * 1_000_000_000n : 0n;
};

/** To whole seconds, halves away from zero. */
const toSeconds = (nanoseconds: bigint): bigint => {
  const half = nanoseconds < 0n ? -500_000_000n : 500_000_000n;
  return ((nanoseconds + half) / 1_000_000_000n) * 1_000_000_000n;
};

const privateKey = (type: string): string => {
  switch (type) {
    case "":
    case "rsa":
      return generateKeyPairSync("rsa", { modulusLength: 4096 }).privateKey.export({
        type: "pkcs1",
        format: "pem",
      }) as string;
    case "ecdsa":
      return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
        type: "sec1",
        format: "pem",
      }) as string;
    case "ed25519":
      return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }) as string;
    case "dsa":
      throw new Error("keys of the type dsa are not made; use rsa, ecdsa or ed25519");
    default:
      return `Unknown type ${type}`;
  }
};

/** Returns the cost of making a key. RSA keys take a second and more. */
const keyUnits = ([type]: readonly unknown[]): number => (type === "" || type === "rsa" ? 2_000_000 : 100_000);

/**
 * Returns the functions of Sprig's hermetic set that ask for the time or for chance, for templates that are rendered once. Some take so long
 * that a short template may not call them.
 */
export const sprigByChance = (chance: Chance): TemplateFunctions => ({
  ago: define(["any"], (time) => durationText(toSeconds(sinceNow(time, chance)))),
  bcrypt: costing(
    () => bcryptUnits,
    define(["string"], (password) => bcrypt(password, chance)),
  ),
  durationRound: define(["any"], (duration) =>
    duration instanceof GoTime
      ? roundedDuration(sinceNow(duration, chance))
      : dateFunctions["durationRound"]!.call([duration]),
  ),
  encryptAES: times(
    10,
    define(["string", "string"], (password, text) => encrypted(password, text, chance)),
  ),
  genPrivateKey: costing(keyUnits, define(["string"], privateKey)),
  htpasswd: costing(
    () => bcryptUnits,
    define(["string", "string"], (user, password) =>
      user.includes(":") ? `invalid username: ${user}` : `${user}:${bcrypt(password, chance)}`,
    ),
  ),
  randInt: define(["int", "int"], (least, end) => {
    if (end <= least) throw new Error("invalid argument to Intn");
    return least + below(end - least, chance);
  }),
  shuffle: times(
    40,
    define(["string"], (text) => shuffled(text, chance)),
  ),
});
