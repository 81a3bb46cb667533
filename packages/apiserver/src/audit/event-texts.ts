import { textInTurns } from "@capstan/evaluation";
import { jsonText } from "@capstan/schema/structural";
import type { AuditEvent, AuditSink } from "./audit-event.ts";

/** Writes audit events as JSON, in the order in which they came; while one with long bodies is written, others are served. */
export class EventTexts {
  readonly #add: (text: string) => void;
  #last: Promise<void> | undefined;

  /** `add` is given the text of each event. */
  constructor(add: (text: string) => void) {
    this.#add = add;
  }

  /** Resolves once the text is passed on; passes it on before it returns if there is nothing to wait for. */
  write(event: AuditEvent): void | Promise<void> {
    const hasBody = event.requestObject !== undefined || event.responseObject !== undefined;
    const before = this.#last;
    if (!hasBody && before === undefined) return this.#add(jsonText(event));
    const text = this.#after(before, event).finally(() => {
      if (this.#last === text) this.#last = undefined;
    });
    this.#last = text;
    return text;
  }

  /** Resolves once everything that was taken is given on. */
  async settled(): Promise<void> {
    await this.#last;
  }

  async #after(before: Promise<void> | undefined, event: AuditEvent): Promise<void> {
    await before;
    this.#add(await textInTurns(event));
  }
}

/** Gives each event to a stream, as a line of JSON. */
export const auditLines = (write: (line: string) => void): AuditSink => {
  const texts = new EventTexts((text) => write(`${text}\n`));
  return { write: (event) => texts.write(event), close: () => texts.settled() };
};
