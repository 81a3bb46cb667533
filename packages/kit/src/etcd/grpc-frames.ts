export const headerBytes = 5;

/** The longest messages, pieces of a snapshot, take some ten kilobytes; what is not etcd may send one without end. */
const maxMessageBytes = 4 * 1024 ** 2;

/** Cuts what arrives into messages. */
export class Frames {
  #rest: Buffer = Buffer.alloc(0);

  /** The messages that are whole with this part. */
  take(part: Buffer): readonly Buffer[] {
    if (this.#rest.length + part.length > maxMessageBytes) throw new Error("a message of the answer is too long");
    this.#rest = Buffer.concat([this.#rest, part]);
    const messages: Buffer[] = [];
    for (let end = this.#end(); end !== undefined; end = this.#end()) {
      messages.push(this.#rest.subarray(headerBytes, end));
      this.#rest = this.#rest.subarray(end);
    }
    return messages;
  }

  get isEmpty(): boolean {
    return this.#rest.length === 0;
  }

  #end(): number | undefined {
    if (this.#rest.length < headerBytes || this.#rest[0] !== 0) return undefined;
    const end = headerBytes + this.#rest.readUInt32BE(1);
    return end <= this.#rest.length ? end : undefined;
  }
}
