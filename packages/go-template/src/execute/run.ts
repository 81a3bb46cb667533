import type { TemplateFunctions } from "../functions/define.ts";
import type { Templates } from "../syntax/tree.ts";
import { TemplateError, type Position } from "../template-error.ts";
import { byteLength } from "../values/bytes.ts";
import type { Limits } from "./limits.ts";

/** What a map that lacks a key does: gives an error, or no value. */
export type MissingKey = "default" | "error";

export interface RunSettings {
  readonly name: string;
  readonly templates: Templates;
  readonly functions: TemplateFunctions;
  readonly missingKey: MissingKey;
  readonly limits: Limits;
}

/** One rendering: what was written, and how much was done. */
export class Run {
  readonly settings: RunSettings;
  readonly #parts: string[] = [];
  #bytes = 0;
  #steps = 0;

  constructor(settings: RunSettings) {
    this.settings = settings;
  }

  get text(): string {
    return this.#parts.join("");
  }

  write(text: string): void {
    this.#bytes += byteLength(text);
    if (this.#bytes > this.settings.limits.outputBytes) {
      throw this.error({ line: 1, column: 1 }, `the output has more than ${this.settings.limits.outputBytes} bytes`);
    }
    this.#parts.push(text);
  }

  step(at: Position): void {
    this.#steps += 1;
    if (this.#steps <= this.settings.limits.steps) return;
    throw this.error(at, `it takes more than ${this.settings.limits.steps} steps`);
  }

  error(at: Position, problem: string, cause?: unknown): TemplateError {
    return new TemplateError(this.settings.name, at, problem, cause);
  }
}
