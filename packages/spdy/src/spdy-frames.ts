/** The control frames of SPDY/3 that are acted on; others are skipped. */
export const FrameType = { synStream: 1, synReply: 2, rstStream: 3, ping: 6, goAway: 7, headers: 8 } as const;

/** Why a stream is reset. */
export const ResetReason = { protocolError: 1, refused: 3, cancel: 5 } as const;

/** `lastOfStream`: the sender has nothing more for the stream. */
export interface FrameHandler {
  control(frame: { readonly type: number; readonly lastOfStream: boolean; readonly payload: Buffer }): void;
  /** Part of a stream's data, as it arrives. */
  data(streamId: number, bytes: Buffer, lastOfStream: boolean): void;
}

const headBytes = 8;
const controlBit = 0x80000000;
const version = 3;
const finFlag = 0x01;
const longestControl = 16_384;

interface FrameHead {
  readonly isControl: boolean;
  readonly streamId: number;
  readonly type: number;
  readonly lastOfStream: boolean;
  readonly length: number;
}

const readHead = (bytes: Buffer): FrameHead => {
  const word = bytes.readUInt32BE(0);
  const isControl = (word & controlBit) !== 0;
  const head = {
    isControl,
    streamId: word & 0x7fffffff,
    type: word & 0xffff,
    lastOfStream: ((bytes[4] ?? 0) & finFlag) !== 0,
    length: bytes.readUIntBE(5, 3),
  };
  if (isControl && ((word >>> 16) & 0x7fff) !== version) {
    throw new RangeError("the frame is not of SPDY/3");
  }
  if (isControl && head.length > longestControl) {
    throw new RangeError(`a control frame of ${head.length} bytes is longer than ${longestControl}`);
  }
  if (!isControl && head.streamId === 0) {
    throw new RangeError("there is data of no stream");
  }
  return head;
};

/** Splits what arrives into frames; no more of a data frame is kept than has just come. Throws a `RangeError` for what is not an SPDY/3. */
export const frameReader = (handler: FrameHandler): ((chunk: Buffer) => void) => {
  let pending: Buffer = Buffer.alloc(0);
  let head: FrameHead | undefined;
  let left = 0;
  const step = (): boolean => {
    if (head === undefined) {
      if (pending.length < headBytes) {
        return false;
      }
      head = readHead(pending);
      left = head.length;
      pending = pending.subarray(headBytes);
    }
    if (head.isControl ? pending.length < left : pending.length === 0 && left > 0) {
      return false;
    }
    const bytes = pending.subarray(0, left);
    pending = pending.subarray(bytes.length);
    left -= bytes.length;
    const { isControl, type, streamId } = head;
    const lastOfStream = head.lastOfStream && left === 0;
    head = left === 0 ? undefined : head;
    if (isControl) {
      handler.control({ type, lastOfStream, payload: bytes });
    } else {
      handler.data(streamId, bytes, lastOfStream);
    }
    return true;
  };
  return (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (step());
  };
};

const frameHead = (word: number, lastOfStream: boolean, length: number): Buffer => {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(word >>> 0);
  head.writeUInt8(lastOfStream ? finFlag : 0, 4);
  head.writeUIntBE(length, 5, 3);
  return head;
};

/** Numbers take four bytes. */
export const controlFrame = (type: number, ...parts: readonly (number | Buffer)[]): Buffer => {
  const payload = parts.map((part) => {
    if (typeof part !== "number") {
      return part;
    }
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(part);
    return bytes;
  });
  const length = payload.reduce((sum, { length: bytes }) => sum + bytes, 0);
  return Buffer.concat([frameHead(controlBit | (version << 16) | type, false, length), ...payload]);
};

export const dataFrame = (streamId: number, bytes: Uint8Array, lastOfStream: boolean): Buffer =>
  Buffer.concat([frameHead(streamId, lastOfStream, bytes.length), bytes]);
