import type { TftpRequest } from "./packet.ts";

/** The sizes and times by which a file is sent. */
export interface TransferTerms {
  /** Bytes of a block. */
  readonly blockSize: number;
  /** Blocks that are sent before one of them is acknowledged. */
  readonly windowSize: number;
  /** The wait for an answer; `undefined`: the client has not said. */
  readonly timeoutMs: number | undefined;
  /** The options that were agreed to; empty: no answer to options is due. */
  readonly agreed: ReadonlyMap<string, string>;
}

const usualBlockSize = 512;
/** The largest block whose packet no Ethernet has to divide: 1,500 bytes without the heads of IP, UDP and TFTP. */
const largestBlock = 1468;
/** As many bytes as lie in a socket's buffer by default, so that a window is not lost for want of room. */
const largestWindow = 64;

const numberIn = (text: string | undefined, least: number, most: number): number | undefined => {
  if (text === undefined || !/^\d{1,10}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= least && value <= most ? value : undefined;
};

/**
 * Agrees to the options of a request that are known and valid (`blksize`, `tsize`, `timeout`, `windowsize`), the sizes lowered where they are
 * more than is sent; others are left out, which refuses them (RFC 2347, 2348, 2349, 7440).
 */
export const negotiate = ({ options }: TftpRequest, size: number): TransferTerms => {
  const agreed = new Map<string, string>();
  const blockSize = numberIn(options.get("blksize"), 8, 65_464);
  const windowSize = numberIn(options.get("windowsize"), 1, 65_535);
  const timeout = numberIn(options.get("timeout"), 1, 255);
  if (blockSize !== undefined) agreed.set("blksize", String(Math.min(blockSize, largestBlock)));
  if (options.has("tsize")) agreed.set("tsize", String(size));
  if (timeout !== undefined) agreed.set("timeout", String(timeout));
  if (windowSize !== undefined) agreed.set("windowsize", String(Math.min(windowSize, largestWindow)));
  return {
    blockSize: Math.min(blockSize ?? usualBlockSize, largestBlock),
    windowSize: Math.min(windowSize ?? 1, largestWindow),
    timeoutMs: timeout === undefined ? undefined : timeout * 1000,
    agreed,
  };
};
