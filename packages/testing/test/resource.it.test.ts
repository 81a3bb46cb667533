import { afterAll, beforeAll, describe, it } from "vitest";
import { resourceConformance } from "../src/conformance.ts";
import { networkSubject } from "./resource-subject.ts";

resourceConformance({ afterAll, beforeAll, describe, it, crashEvery: 9 }, networkSubject);
