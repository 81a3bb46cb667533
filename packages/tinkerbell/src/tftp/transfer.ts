import type { Clock } from "@capstan/contract";
import type { TransferTerms } from "./negotiate.ts";
import { dataPacket, optionAckPacket } from "./packet.ts";

/** Repetitions before a client is given up. */
const mostRetries = 5;
/** The wait for the first acknowledgement; each later one is twice as long as the one before. */
const firstTimeoutMs = 1000;

export interface TransferParts {
  readonly content: Uint8Array;
  readonly terms: TransferTerms;
  readonly clock: Clock;
  readonly send: (packet: Buffer) => void;
  /** Called once, with whether the client has acknowledged everything. */
  readonly ended: (isComplete: boolean) => void;
}

/** One file on its way to one client, window by window. Nothing but the clock and acknowledgements moves it on. */
export class TftpTransfer {
  readonly #parts: TransferParts;
  /** Blocks of the file; the last one is shorter than the others, and may be empty. */
  readonly #blocks: number;
  /** The last block that the client has acknowledged; -1 while the answer to its options is not. */
  #acknowledged: number;
  #retries = 0;
  /** The window after this block was sent again, because the client asked for it; it is not twice. */
  #askedAgain: number | undefined;
  #cancelTimer: () => void = () => undefined;
  #isOver = false;

  constructor(parts: TransferParts) {
    this.#parts = parts;
    this.#blocks = Math.floor(parts.content.length / parts.terms.blockSize) + 1;
    this.#acknowledged = parts.terms.agreed.size === 0 ? 0 : -1;
    this.#send();
  }

  /** Takes an acknowledgement, by its number in 16 bits. */
  acknowledge(number: number): void {
    if (this.#isOver) return;
    const { windowSize } = this.#parts.terms;
    const base = Math.max(this.#acknowledged, 0);
    const ahead = (number - base) & 0xff_ff;
    const isFirst = this.#acknowledged === -1;
    if (isFirst && number !== 0) return;
    if (ahead === 0 && !isFirst) {
      // With windows it says that the first block was lost; without, it is a late copy that would double everything after it.
      if (windowSize === 1 || this.#askedAgain === base) return;
      this.#askedAgain = base;
      this.#send();
      return;
    }
    if (ahead > Math.min(windowSize, this.#blocks - base)) return;
    this.#acknowledged = base + ahead;
    this.#retries = 0;
    if (this.#acknowledged === this.#blocks) this.end(true);
    else this.#send();
  }

  /** Ends it without a word; again changes nothing. */
  end(isComplete = false): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#cancelTimer();
    this.#parts.ended(isComplete);
  }

  #send(): void {
    const { clock, content, send, terms } = this.#parts;
    this.#cancelTimer();
    if (this.#acknowledged === -1) send(optionAckPacket(terms.agreed));
    else {
      const last = Math.min(this.#acknowledged + terms.windowSize, this.#blocks);
      for (let block = this.#acknowledged + 1; block <= last; block += 1) {
        send(dataPacket(block, content.subarray((block - 1) * terms.blockSize, block * terms.blockSize)));
      }
    }
    const wait = terms.timeoutMs ?? firstTimeoutMs * 2 ** this.#retries;
    this.#cancelTimer = clock.schedule(wait, () => this.#retry());
  }

  #retry(): void {
    if (this.#retries === mostRetries) {
      this.end(false);
      return;
    }
    this.#retries += 1;
    this.#askedAgain = undefined;
    this.#send();
  }
}
