import type { TemplateFunctions } from "./functions/define.ts";
import { dateFunctions } from "./sprig/dates.ts";
import { defaultFunctions } from "./sprig/defaults.ts";
import { dictFunctions } from "./sprig/dicts.ts";
import { encodingFunctions } from "./sprig/encoding.ts";
import { letterCaseFunctions } from "./sprig/letter-cases.ts";
import { listFunctions } from "./sprig/lists.ts";
import { mathFunctions } from "./sprig/math.ts";
import { passwordFunctions } from "./sprig/passwords.ts";
import { pathFunctions } from "./sprig/paths.ts";
import { regexFunctions } from "./sprig/regex.ts";
import { stringFunctions } from "./sprig/strings.ts";
import { versionFunctions } from "./sprig/versions.ts";
import { wordFunctions } from "./sprig/words.ts";
import { wrappingFunctions } from "./sprig/wrapping.ts";

/** Functions of Sprig 3.3 that give the same for the same arguments: nothing of time, chance, environment or network. */
export const sprigFunctions: TemplateFunctions = {
  ...dateFunctions,
  ...defaultFunctions,
  ...dictFunctions,
  ...encodingFunctions,
  ...letterCaseFunctions,
  ...listFunctions,
  ...mathFunctions,
  ...passwordFunctions,
  ...pathFunctions,
  ...regexFunctions,
  ...stringFunctions,
  ...versionFunctions,
  ...wordFunctions,
  ...wrappingFunctions,
};
