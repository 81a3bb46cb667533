import type { TemplateFunctions } from "../functions/define.ts";
import type { Templates } from "../syntax/tree.ts";
import { TemplateError, type Position } from "../template-error.ts";
import { byteLength } from "../values/bytes.ts";
import type { Budget } from "../values/budget.ts";
import type { Limits } from "./limits.ts";

/** Cost of a step in addition to the characters and items that it handles. */
const stepUnits = 80;

/** Behaviour for a missing key of a map: an error, or no value. */
export type MissingKey = "default" | "error";

export interface RunSettings {
  readonly name: string;
  readonly templates: Templates;
  readonly functions: TemplateFunctions;
  readonly missingKey: MissingKey;
  readonly limits: Limits;
  readonly budget: Budget;
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

  get budget(): Budget {
    return this.settings.budget;
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
    if (this.#steps > this.settings.limits.steps) {
      throw this.error(at, `it takes more than ${this.settings.limits.steps} steps`);
    }
    this.pay(at, (budget) => budget.pay(stepUnits));
  }

  /** Pays from the budget for what stands at a place. */
  pay(at: Position, pay: (budget: Budget) => void): void {
    try {
      pay(this.settings.budget);
    } catch (error) {
      throw this.error(at, (error as Error).message, error);
    }
  }

  error(at: Position, problem: string, cause?: unknown): TemplateError {
    return new TemplateError(this.settings.name, at, problem, cause);
  }
}
