/** Every page, with script: the search suggests titles. */

import { suggestPages } from './reading/search-box.ts'

const input = document.querySelector<HTMLInputElement>('.search input[type="search"]')
if (input !== null) suggestPages(input)
