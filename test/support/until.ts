export { waitUntil as until } from './waitUntil';
