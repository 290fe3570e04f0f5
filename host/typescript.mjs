// `node --import ./host/typescript.mjs FILE.ts`: tsx compiles each file when it is loaded.
import 'tsx';
