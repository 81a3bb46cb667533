/** Operations of RFC 1350 and RFC 2347. */
const TftpOperation = { read: 1, write: 2, data: 3, ack: 4, error: 5, optionAck: 6 } as const;

/** Error codes of RFC 1350 and RFC 2347. */
export const TftpError = { notDefined: 0, notFound: 1, accessViolation: 2, diskFull: 3, illegal: 4 } as const;

/** A request to read, as clients send it. */
export interface TftpRequest {
  readonly path: string;
  /** In lower case: `octet`, `netascii`, or something that is not served. */
  readonly mode: string;
  /** By their names in lower case. */
  readonly options: ReadonlyMap<string, string>;
}

/** A packet as clients send it. */
export type TftpPacket =
  | { readonly kind: "read" | "write"; readonly request: TftpRequest }
  | { readonly kind: "ack"; readonly block: number }
  | { readonly kind: "error"; readonly code: number };

/** No request is longer: RFC 2347 says so of all its options together. */
const longestRequest = 512;

const requestOf = (bytes: Buffer): TftpRequest | undefined => {
  if (bytes.length > longestRequest || bytes.at(-1) !== 0) return undefined;
  const [path = "", mode = "", ...rest] = bytes.subarray(2, -1).toString("latin1").split("\0");
  if (path === "" || mode === "") return undefined;
  const options = new Map<string, string>();
  for (let at = 0; at + 1 < rest.length; at += 2) options.set(rest[at]!.toLowerCase(), rest[at + 1]!);
  return { path, mode: mode.toLowerCase(), options };
};

/** Returns what a client has sent; `undefined` if it is not a packet of TFTP, or one that only servers send. */
export const readTftp = (bytes: Buffer): TftpPacket | undefined => {
  if (bytes.length < 4) return undefined;
  const operation = bytes.readUInt16BE(0);
  switch (operation) {
    case TftpOperation.read:
    case TftpOperation.write: {
      const request = requestOf(bytes);
      return request && { kind: operation === TftpOperation.read ? "read" : "write", request };
    }
    case TftpOperation.ack:
      return { kind: "ack", block: bytes.readUInt16BE(2) };
    case TftpOperation.error:
      return { kind: "error", code: bytes.readUInt16BE(2) };
    default:
      return undefined;
  }
};

const head = (operation: number, second: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt16BE(operation, 0);
  bytes.writeUInt16BE(second, 2);
  return bytes;
};

/** `block` counts from 1 and is written in 16 bits: after 65,535 comes 0. */
export const dataPacket = (block: number, content: Uint8Array): Buffer =>
  Buffer.concat([head(TftpOperation.data, block & 0xff_ff), content]);

export const errorPacket = (code: number, message: string): Buffer =>
  Buffer.concat([head(TftpOperation.error, code), Buffer.from(`${message}\0`, "latin1")]);

export const optionAckPacket = (options: ReadonlyMap<string, string>): Buffer =>
  Buffer.concat([
    Buffer.from([0, TftpOperation.optionAck]),
    Buffer.from([...options].map(([name, value]) => `${name}\0${value}\0`).join(""), "latin1"),
  ]);
