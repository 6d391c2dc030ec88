// The look of dialogs.
import { addRules } from '../rules.js'
import rules from './dialog.css'

addRules(rules)
